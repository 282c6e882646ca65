/** How bad a verdict is: the one order that suites, reports, exit codes and comparisons follow. */
import type { AttackResult, AttackVerdict } from '@joust/oatf'
import { diagnostic } from '../model/diagnostics.ts'
import type { ResultVerdict, Trial } from './model.ts'

type Ranked = Pick<AttackVerdict, 'result' | 'max_tier'>

/**
 * From worst to best. What was shown comes first: an attack that went through once has gone through, whatever became of
 * its other trials. An error comes before a pass, so that nothing unknown is taken for resistance.
 */
const worstFirst: readonly ((verdict: Ranked) => boolean)[] = [
  ({ result, max_tier }) => result === 'exploited' && max_tier === 'boundary_breach',
  ({ result, max_tier }) => result === 'exploited' && max_tier === 'local_action',
  ({ result }) => result === 'exploited',
  ({ result }) => result === 'partial',
  ({ result }) => result === 'error',
  ({ result }) => result === 'not_exploited',
]

/** The results from worst to best, as reports list them. */
export const resultsWorstFirst: readonly AttackResult[] = ['exploited', 'partial', 'error', 'not_exploited']

/** 0 for the worst there is; the higher, the better. */
function rankOf(verdict: Ranked): number {
  const rank = worstFirst.findIndex((is) => is(verdict))
  return rank < 0 ? worstFirst.length : rank
}

/** Orders verdicts from worst to best. */
export function compareVerdicts(a: Ranked, b: Ranked): number {
  return rankOf(a) - rankOf(b)
}

/** The verdict of an attack: that of its worst trial, the first of them where several are as bad. */
export function attackVerdict(trials: readonly Trial[], attackId?: string): ResultVerdict {
  const [first, ...others] = trials
  if (first === undefined) return notRun(attackId)
  return others.reduce((worst, { verdict }) => (compareVerdicts(verdict, worst) < 0 ? verdict : worst), first.verdict)
}

function notRun(attackId: string | undefined): ResultVerdict {
  return {
    ...(attackId === undefined ? {} : { attack_id: attackId }),
    result: 'error',
    indicator_verdicts: [],
    evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
    diagnostics: [diagnostic('not-run', 'the attack was not run')],
  }
}
