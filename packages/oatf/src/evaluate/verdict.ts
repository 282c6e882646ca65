/** [OATF SDK §4.5](https://oatf.io/sdk/evaluation/): combines indicator verdicts into the attack verdict. */
import { type Diagnostic, describeValue, isList, isRecord } from '@joust/source'
import type { Attack, Indicator } from '../model/document.ts'
import { type AttackResult, type CorrelationLogic, type Tier, tiers } from '../model/enumerations.ts'
import type { AttackVerdict, EvaluationSummary, IndicatorVerdict } from '../model/verdict.ts'
import { indicatorId } from '../primitives/indicator-id.ts'

/**
 * Computes the verdict of an attack from the verdicts of its indicators, by id or position. An indicator without an
 * entry is skipped. If there are no indicators, or all are skipped, the result is `error`, never a pass. Normalization
 * may give two indicators the same id; only a list can contain the verdicts of both.
 *
 * @example
 * const { attack } = unwrap(load(text), text).document
 * const content = { arguments: { key: 'sk-1' } }
 * const { result, max_tier } = computeVerdict(attack, (attack.indicators ?? []).map((one) => evaluateIndicator(one, content)))
 */
export function computeVerdict(
  attack: Attack,
  verdicts: IndicatorVerdicts,
  now: () => number = Date.now,
): AttackVerdict {
  // An attack built in memory may be invalid. Entries that are not indicators are skipped and counted.
  const { id, correlation, indicators: listed } = isRecord(attack) ? attack : ({} as Partial<Attack>)
  const attackId = typeof id === 'string' ? id : undefined
  const indicators = isList(listed) ? listed : []
  const ids = indicators.map((indicator, index) => indicatorId(attackId, indicator, index))
  const collected = ids.map((name, index) => verdictOf(name, entryOf(verdicts, name, index)))
  const faults = isDocument(attack) ? [notAnAttack] : faultsOf(ids, verdicts)
  const summary = summarize(collected)
  const maxTier = highestTier(indicators, collected)
  return {
    ...(attackId === undefined ? {} : { attack_id: attackId }),
    result: faults.length > 0 ? 'error' : combine(correlation?.logic ?? 'any', summary),
    ...(maxTier === undefined ? {} : { max_tier: maxTier }),
    indicator_verdicts: collected,
    evaluation_summary: summary,
    timestamp: new Date(now()).toISOString(),
    ...(faults.length > 0 ? { diagnostics: faults } : {}),
  }
}

/** True for a document or a loaded attack, which an untyped caller may pass in place of an attack. */
function isDocument(attack: Attack): boolean {
  return isRecord(attack) && ('attack' in attack || 'document' in attack) && !('execution' in attack)
}

const notAnAttack: Diagnostic = {
  severity: 'error',
  code: 'not-an-attack',
  spec_ref: '§9.2',
  path: '',
  message: 'expected an attack; pass document.attack from load() or normalize()',
}

const noIndicators: Diagnostic = {
  severity: 'error',
  code: 'no-indicators',
  spec_ref: '§11.4.2',
  path: 'attack.indicators',
  message: 'the document has no indicators, so there is no verdict',
}

const sharedId: Diagnostic = {
  severity: 'error',
  code: 'shared-id',
  spec_ref: '§6.1',
  path: 'attack.indicators',
  message: 'two indicators have the same id, so the verdict of one may hide the verdict of the other',
}

const withoutId: Diagnostic = {
  severity: 'error',
  code: 'no-indicator-id',
  spec_ref: '§11.2.3',
  path: 'attack.indicators',
  message: 'a verdict has no indicator id: load or normalize the document before evaluating its indicators',
}

type VerdictList = readonly (IndicatorVerdict | undefined)[]
type IndicatorVerdicts = ReadonlyMap<string, IndicatorVerdict> | VerdictList

function isByPosition(verdicts: IndicatorVerdicts): verdicts is VerdictList {
  return Array.isArray(verdicts)
}

/** Looks up a verdict. Values other than lists and maps have no verdicts. A map may be from a different realm. */
function entryOf(verdicts: IndicatorVerdicts, id: string | undefined, index: number): IndicatorVerdict | undefined {
  if (isByPosition(verdicts)) return verdicts[index]
  // Untyped callers may pass a map with a verdict under `undefined`.
  return typeof verdicts?.get === 'function' ? verdicts.get(id as string) : undefined
}

/** Returns the reasons why there is no verdict. */
function faultsOf(ids: readonly string[], verdicts: IndicatorVerdicts): Diagnostic[] {
  if (ids.length === 0) return [noIndicators]
  if (isByPosition(verdicts)) return []
  if (new Set(ids).size < ids.length) return [sharedId]
  // The id of an indicator that was only parsed is empty or absent.
  const isNameless = ['', undefined].some((name) => entryOf(verdicts, name, 0) !== undefined)
  return !ids.includes('') && isNameless ? [withoutId] : []
}

const results: ReadonlySet<unknown> = new Set(['matched', 'not_matched', 'error', 'skipped'])

/** Returns the verdict for an id. An unknown result becomes an error, never a pass. */
function verdictOf(id: string, verdict: IndicatorVerdict | undefined): IndicatorVerdict {
  if (verdict === undefined) return { indicator_id: id, result: 'skipped', evidence: 'the indicator was not evaluated' }
  if (!isRecord(verdict))
    return { indicator_id: id, result: 'error', evidence: `${describeValue(verdict)} is not an indicator verdict` }
  if (results.has(verdict.result)) return verdict
  return { ...verdict, result: 'error', evidence: `${describeValue(verdict.result)} is not a result` }
}

function summarize(verdicts: readonly IndicatorVerdict[]): EvaluationSummary {
  const summary = { matched: 0, not_matched: 0, error: 0, skipped: 0 }
  for (const { result } of verdicts) summary[result] += 1
  return summary
}

/** [OATF §9.2](https://oatf.io/specification/verdict-model/). Errors take precedence over matches. */
function combine(logic: CorrelationLogic, { matched, not_matched, error, skipped }: EvaluationSummary): AttackResult {
  if (error > 0 || matched + not_matched === 0) return 'error'
  if (matched === 0) return 'not_exploited'
  return logic === 'all' && not_matched + skipped > 0 ? 'partial' : 'exploited'
}

function highestTier(indicators: readonly Indicator[], verdicts: readonly IndicatorVerdict[]): Tier | undefined {
  const matched = indicators.filter((_, index) => verdicts[index]?.result === 'matched')
  return tiers.findLast((tier) => matched.some((indicator) => indicator?.tier === tier))
}
