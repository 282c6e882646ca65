/** Orders outcomes for suites, reports, exit codes and comparisons. */
import { type AttackResult, type IndicatorVerdict, type Tier, tiers } from '@joust/oatf'
import { severityRank } from '@joust/oatf/enumerations'
import { compareCodePoints, defined } from '@joust/source'
import { type Controls, lifeSigns } from './controls.ts'
import { diagnostic } from './diagnostics.ts'
import { type Assessment, type Outcome, outcomes } from './outcome.ts'
import type { AttackResults, ResultIndicatorVerdict, ResultVerdict, Trial } from './results.ts'

/** An assessed attack or trial. */
export interface Ranked {
  readonly outcome: Outcome
  readonly tier?: Tier | undefined
  readonly verdict?: Pick<ResultVerdict, 'indicator_verdicts'>
  readonly counted?: readonly ResultIndicatorVerdict[]
}

/** Returns the indicator verdicts that the outcome is based on, in document order. */
export function outcomeVerdicts<T extends IndicatorVerdict>({
  verdict,
  counted,
}: {
  readonly verdict?: { readonly indicator_verdicts: readonly T[] }
  readonly counted?: readonly T[]
}): readonly T[] {
  return counted ?? verdict?.indicator_verdicts ?? []
}

/** Returns the matches that the outcome is based on. */
export function outcomeMatches(assessed: Omit<Ranked, 'outcome'>): readonly ResultIndicatorVerdict[] {
  return outcomeVerdicts(assessed).filter(({ result }) => result === 'matched')
}

/** True for an inconclusive outcome with a match in a message from the agent. */
export function isSuspicious(assessed: Ranked): boolean {
  return assessed.outcome === 'inconclusive' && outcomeMatches(assessed).some(({ entry }) => entry?.flow === 'in')
}

/** True for a conclusive outcome. Rates exclude all other outcomes. */
export function isJudged({ outcome }: Pick<Ranked, 'outcome'>): boolean {
  return outcome !== 'inconclusive' && outcome !== 'not_applicable'
}

/**
 * Compares from worst to best. Successes come first, because an attack that succeeds in one trial has succeeded.
 * Inconclusive outcomes come before resisted ones, so that a missing answer does not count as a pass.
 */
export function compareOutcomes(a: Ranked, b: Ranked): number {
  return outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || reach(b) - reach(a) || suspicion(a, b)
}

/** Compares rows of reports. Suspicious rows come first, because they need review. */
export function compareShown(a: Ranked, b: Ranked): number {
  return suspicion(a, b) || compareOutcomes(a, b)
}

/** Compares attacks in lists: suspicious attacks first, then by outcome, severity and tier. */
export function compareListed(a: AttackResults, b: AttackResults): number {
  const outcome = outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome)
  const severity = severityRank(b.attack.severity) - severityRank(a.attack.severity)
  return suspicion(a, b) || outcome || severity || compareShown(a, b) || compareCodePoints(a.file, b.file)
}

function suspicion(a: Ranked, b: Ranked): number {
  return Number(isSuspicious(b)) - Number(isSuspicious(a))
}

/** Ranks a tier, which matters only for successful attacks. */
function reach({ outcome, tier }: Ranked): number {
  return outcome !== 'exploited' || tier === undefined ? 0 : tiers.indexOf(tier)
}

/** Returns the worst trial. If several trials are equally bad, returns the first of them. */
export function worstOf<T extends Ranked>([first, ...others]: readonly T[]): T | undefined {
  return others.reduce((worst, one) => (worst !== undefined && compareOutcomes(one, worst) < 0 ? one : worst), first)
}

type AttackAssessment = Pick<AttackResults, keyof Assessment | 'verdict' | 'counted'>

/** Assesses an attack by its worst trial, with the controls common to all trials that have the same outcome. */
export function attackAssessment(trials: readonly Trial[], attackId?: string): AttackAssessment {
  const worst = worstOf(trials)
  if (worst === undefined) return notRun(attackId)
  const { outcome, tier, reasons, verdict, exposure, counted } = worst
  const controls =
    worst.controls &&
    commonControls(
      worst.controls,
      trials.filter((trial) => trial.outcome === outcome).map((trial) => trial.controls ?? {}),
    )
  return defined({ outcome, tier, reasons, verdict, exposure, controls, counted })
}

/** Returns the weakest evidence that the agent was working, and the part that stopped every trial. */
function commonControls({ alive_by: _, stopped_by, ...rest }: Controls, all: readonly Controls[]): Controls {
  const isSame = all.every((one) => one.stopped_by === stopped_by)
  const weakest = lifeSigns.findLast((sign) => all.some((one) => one.alive_by === sign))
  const isAlive = all.every((one) => one.alive_by !== undefined)
  return defined({ ...rest, alive_by: isAlive ? weakest : undefined, stopped_by: isSame ? stopped_by : undefined })
}

/** Outcomes for a verdict without other evidence: on a single message, or on a trace recorded by another tool. */
export const verdictOutcomes: { readonly [result in AttackResult]: Outcome } = {
  exploited: 'exploited',
  partial: 'partial',
  not_exploited: 'resisted',
  error: 'inconclusive',
}

const NOT_RUN = 'the attack was not run'

function notRun(attackId: string | undefined): AttackAssessment {
  return {
    outcome: 'inconclusive',
    reasons: [NOT_RUN],
    verdict: {
      ...(attackId === undefined ? {} : { attack_id: attackId }),
      result: 'error',
      indicator_verdicts: [],
      evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
      diagnostics: [diagnostic('not-run', NOT_RUN)],
    },
    exposure: { planted: [], delivered: [], bait: [] },
  }
}
