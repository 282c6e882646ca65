/** How bad an outcome is: the one order that suites, reports, exit codes and comparisons follow. */
import { type AttackResult, type Tier, tiers } from '@joust/oatf'
import { diagnostic } from '../model/diagnostics.ts'
import { type Outcome, outcomes } from '../model/outcome.ts'
import type { AttackResults, ResultVerdict, Trial } from './model.ts'

/** An attack or a trial that was assessed. */
export interface Assessed {
  readonly outcome: Outcome
  readonly verdict: Pick<ResultVerdict, 'max_tier'>
}

/** How far an attack got, if it got anywhere: a match that proves nothing has no tier. */
export function tierOf({ outcome, verdict }: Assessed): Tier | undefined {
  return outcome === 'exploited' || outcome === 'partial' ? verdict.max_tier : undefined
}

/** Whether it says something about the agent; whatever does not is left out of every rate. */
export function isJudged({ outcome }: Pick<Assessed, 'outcome'>): boolean {
  return outcome !== 'inconclusive' && outcome !== 'not_applicable'
}

/**
 * Orders from worst to best. What was shown comes first: an attack that got through once has got through, whatever its
 * other trials say. What is not known comes before a pass, so that it is not taken for resistance.
 */
export function compareOutcomes(a: Assessed, b: Assessed): number {
  return outcomes.indexOf(a.outcome) - outcomes.indexOf(b.outcome) || reach(b) - reach(a)
}

/** Having been read does not rank above having got through at all. */
function reach({ outcome, verdict: { max_tier } }: Assessed): number {
  return outcome !== 'exploited' || max_tier === undefined ? 0 : tiers.indexOf(max_tier)
}

/** The worst of some trials; the first of several equally bad ones. */
export function worstOf<T extends Assessed>([first, ...others]: readonly T[]): T | undefined {
  return others.reduce((worst, one) => (worst !== undefined && compareOutcomes(one, worst) < 0 ? one : worst), first)
}

type AttackAssessment = Pick<AttackResults, 'outcome' | 'reasons' | 'verdict' | 'exposure'>

/** The assessment of an attack: that of its worst trial. */
export function attackAssessment(trials: readonly Trial[], attackId?: string): AttackAssessment {
  const worst = worstOf(trials)
  if (worst === undefined) return notRun(attackId)
  const { outcome, reasons, verdict, exposure } = worst
  return { outcome, reasons, verdict, exposure }
}

/** The outcome where only a verdict is known: of one message, or of traffic that others recorded. */
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
