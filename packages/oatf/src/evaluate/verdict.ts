/** SDK §4.5: indicator verdicts to the verdict of the attack. */
import { type Diagnostic, isList, isRecord } from '@joust/source'
import type { Attack, Indicator } from '../model/document.ts'
import { type AttackResult, type CorrelationLogic, type Tier, tiers } from '../model/enumerations.ts'
import type { AttackVerdict, EvaluationSummary, IndicatorVerdict } from '../model/verdict.ts'
import { indicatorId } from '../primitives/indicator-id.ts'

/**
 * The verdict of an attack. An indicator without an entry counts as skipped; no indicators, or nothing but skipped ones,
 * is an `error`, never a pass.
 */
export function computeVerdict(
  attack: Attack,
  verdicts: ReadonlyMap<string, IndicatorVerdict>,
  now: () => number = Date.now,
): AttackVerdict {
  // An attack that was built in memory may be anything; whatever is no indicator is skipped, and counted.
  const { id, correlation, indicators: listed } = isRecord(attack) ? attack : ({} as Partial<Attack>)
  const attackId = typeof id === 'string' ? id : undefined
  const indicators = isList(listed) ? listed : []
  const collected = indicators.map((indicator, index) => {
    const indicatorName = indicatorId(attackId, indicator, index)
    return verdicts.get(indicatorName) ?? notEvaluated(indicatorName)
  })
  const summary = summarize(collected)
  const maxTier = highestTier(indicators, collected)
  return {
    ...(attackId === undefined ? {} : { attack_id: attackId }),
    result: indicators.length === 0 ? 'error' : combine(correlation?.logic ?? 'any', summary),
    ...(maxTier === undefined ? {} : { max_tier: maxTier }),
    indicator_verdicts: collected,
    evaluation_summary: summary,
    timestamp: new Date(now()).toISOString(),
    ...(indicators.length === 0 ? { diagnostics: [noIndicators] } : {}),
  }
}

const noIndicators: Diagnostic = {
  severity: 'error',
  code: 'no-indicators',
  spec_ref: '§11.4.2',
  path: 'attack.indicators',
  message: 'the document has no indicators, so nothing can be said about the agent',
}

function notEvaluated(id: string): IndicatorVerdict {
  return { indicator_id: id, result: 'skipped', evidence: 'the indicator was not evaluated' }
}

function summarize(verdicts: readonly IndicatorVerdict[]): EvaluationSummary {
  const summary = { matched: 0, not_matched: 0, error: 0, skipped: 0 }
  for (const { result } of verdicts) summary[result] += 1
  return summary
}

/** §9.2. Errors come before matches: with one, the pattern of results is not known. */
function combine(logic: CorrelationLogic, { matched, not_matched, error, skipped }: EvaluationSummary): AttackResult {
  if (matched + not_matched + error === 0) return 'error'
  if (error > 0) return 'error'
  if (matched === 0) return 'not_exploited'
  return logic === 'all' && not_matched + skipped > 0 ? 'partial' : 'exploited'
}

function highestTier(indicators: readonly Indicator[], verdicts: readonly IndicatorVerdict[]): Tier | undefined {
  const matched = indicators.filter((_, index) => verdicts[index]?.result === 'matched')
  return tiers.findLast((tier) => matched.some((indicator) => indicator?.tier === tier))
}
