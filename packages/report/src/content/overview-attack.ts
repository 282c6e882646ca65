/** Reduces attacks to the data of the overview, so that it loads quickly. */
import { type AttackResults, outcomeVerdicts, runsOf, type Trial } from '@joust/results'

/**
 * Returns an attack without its document and the details of its runs, which only the page of the attack shows. An
 * attack without runs is returned unchanged.
 */
export function overviewAttack(attack: AttackResults): AttackResults {
  if (runsOf(attack).length === 0) return attack
  const { trials, placebo_trials } = attack
  const overview = {
    ...without(attack, ['exposure', 'counted']),
    attack: {
      ...without(attack.attack, ['text', 'remediation', 'task']),
      indicators: attack.attack.indicators.map(({ id }) => ({ id })),
    },
    verdict: overviewVerdict(attack),
    trials: trials.map(overviewTrial),
    ...(placebo_trials && { placebo_trials: placebo_trials.map(overviewTrial) }),
  }
  // The overview reads none of the missing fields.
  return overview as unknown as AttackResults
}

const DETAILS = [
  ...['exposure', 'counted', 'reasons', 'answer', 'printed', 'exit_code', 'duration_ms', 'ended', 'actors'],
  ...['diagnostics', 'wiring', 'approvals'],
]

function overviewTrial(trial: Trial) {
  const { task } = trial
  const verdicts = { verdict: overviewVerdict(trial), ...(task && { task: { result: task.result } }) }
  return { ...without(trial, DETAILS), ...verdicts }
}

/** Returns the verdict with only those matches that make an inconclusive outcome suspicious. */
function overviewVerdict(one: AttackResults | Trial) {
  const verdicts = one.outcome === 'inconclusive' ? outcomeVerdicts(one) : []
  const matches = verdicts.filter(({ result }) => result === 'matched')
  return {
    result: one.verdict.result,
    indicator_verdicts: matches.map(({ indicator_id, result, entry }) => ({ indicator_id, result, entry })),
  }
}

function without(value: object, keys: readonly string[]) {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)))
}
