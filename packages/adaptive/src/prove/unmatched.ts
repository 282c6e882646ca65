import { judgeEachMessage } from '@joust/arena'
import { contentRoot, createCelEvaluator, type Indicator, type LoadedAttack, resolveWildcardPath } from '@joust/oatf'
import type { TraceEntry } from '@joust/results'
import { type DecidingEntry, decidingEntry, knownShapes } from '@joust/results'
import { cut, defaultLimits, valueToText } from '@joust/source'
import { adaptiveLimits } from '../limits.ts'

/** The value at an indicator target, and the message that contains it. */
export interface UnmatchedValue {
  readonly entry: DecidingEntry
  readonly target: string
  readonly value: string
}

/** Returns the last unmatched value at each indicator target, by indicator id. */
export async function unmatchedValues(
  attack: LoadedAttack,
  trace: readonly TraceEntry[],
): Promise<ReadonlyMap<string, UnmatchedValue>> {
  const entries = trace.filter(({ flow }) => flow === 'in')
  const judgements = await judgeEachMessage(attack, entries, { cel: createCelEvaluator(), maxVerdicts: 0 })
  const redactor = knownShapes()
  const values = new Map<string, UnmatchedValue>()
  for (const [position, indicator] of (attack.document.attack.indicators ?? []).entries()) {
    const steps = judgements[position]?.steps ?? []
    const target = targetOf(indicator)
    const rootOf = contentRoot([target])
    for (const [index, entry] of entries.entries()) {
      const root = rootOf(entry)
      const value = steps[index] === 'evaluated' ? resolveWildcardPath(target, root).at(-1) : undefined
      const text = value === undefined ? undefined : valueToText(value, 'document', defaultLimits)
      if (text?.ok !== true) continue
      const excerpt = cut(redactor.text(text.value), adaptiveLimits.unmatchedText)
      values.set(indicator.id, { entry: decidingEntry(entry), target, value: excerpt })
    }
  }
  return values
}

function targetOf({ target, pattern, semantic }: Indicator): string {
  return pattern?.target ?? semantic?.target ?? target
}
