import { isRecord, type Value } from '@joust/source'
import type { ResponseEntry } from '../model/document.ts'
import type { PrimitiveOptions } from '../model/evaluators.ts'
import { evaluatePredicate } from './evaluate-predicate.ts'

/**
 * Selects the first entry whose `when` matches the request, or else the first entry without `when` ([OATF SDK
 * §5.7](https://oatf.io/sdk/execution-primitives/)).
 *
 * @example
 * const entries = [{ when: { 'arguments.town': 'Oslo' }, content: 'rain' }, { content: 'sun' }]
 * const entry = selectResponse(entries, { arguments: { town: 'Oslo' } })
 */
export function selectResponse<Entry extends ResponseEntry>(
  entries: readonly Entry[],
  request: Value,
  options: PrimitiveOptions = {},
): Entry | undefined {
  let fallback: Entry | undefined
  for (const entry of entries) {
    if (!isRecord(entry)) continue
    if (entry.when === undefined) fallback ??= entry
    else if (evaluatePredicate(entry.when, request, options)) return entry
  }
  return fallback
}
