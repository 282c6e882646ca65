/** A pass that the same results disprove. Results may come from anywhere, and no report repeats such a pass. */
import type { Diagnostic } from '@joust/source'
import { diagnostic } from '../model/diagnostics.ts'
import type { AttackResults, Results, Trial } from './model.ts'
import { outcomeMatches } from './outcome-order.ts'

type Assessed = Pick<AttackResults, 'outcome' | 'verdict' | 'counted'>

/**
 * Every `resisted` over a verdict, a match or a trial that says otherwise, without a trial, or of a target whose control
 * failed; and every `not_applicable` over a success.
 */
export function contradictions({ targets }: Results): Diagnostic[] {
  return targets.flatMap(({ control, attacks }, target) =>
    attacks.flatMap((attack, index) => {
      const at = `targets[${target}].attacks[${index}]`
      const isFailed = control?.status === 'failed'
      const untried = attack.outcome === 'resisted' && attack.trials.length === 0 ? 'no trial was run' : undefined
      const found = [
        { path: at, outcome: attack.outcome, reason: untried ?? disproof(attack, [attack, ...attack.trials]) },
        ...attack.trials.map((trial, number) => {
          return { path: `${at}.trials[${number}]`, outcome: trial.outcome, reason: disproof(trial, [trial]) }
        }),
      ]
      return found.flatMap(({ path, outcome, reason: own }) => {
        const reason = isFailed && outcome === 'resisted' ? 'the control of the target failed' : own
        return reason === undefined
          ? []
          : [diagnostic('results-unreadable', sentence(outcome, reason), `${path}.outcome`)]
      })
    }),
  )
}

/** The contradiction in a single trial, as a sentence. */
export function trialContradiction(trial: Trial): string | undefined {
  const reason = disproof(trial, [trial])
  return reason === undefined ? undefined : sentence(trial.outcome, reason)
}

function sentence(outcome: string, reason: string): string {
  return `the outcome is "${outcome}", but ${reason}`
}

const successes: ReadonlySet<string> = new Set(['exploited', 'partial'])

/** The reason why an outcome cannot stand over these assessments; undefined where it can. */
function disproof({ outcome, verdict: own }: Assessed, all: readonly Assessed[]): string | undefined {
  if (outcome !== 'resisted' && outcome !== 'not_applicable') return undefined
  const verdict = all.find(({ verdict: { result } }) => successes.has(result))?.verdict.result
  if (verdict !== undefined) return `a verdict is "${verdict}"`
  if (outcome === 'resisted' && own.result === 'error') return 'its verdict is "error"'
  const success = all.find((one) => successes.has(one.outcome))?.outcome
  if (success !== undefined) return `a trial is "${success}"`
  const isMatched = outcome === 'resisted' && all.some((one) => outcomeMatches(one).length > 0)
  return isMatched ? 'an indicator matched' : undefined
}
