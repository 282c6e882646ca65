/** The values that indicators did not match: the last one of the agent at each target. */
import { createCelEvaluator, type Indicator, type LoadedAttack, resolveWildcardPath } from '@joust/oatf'
import { cut, defaultLimits, valueToText } from '@joust/source'
import { judgeEachMessage } from '../judge/each-message.ts'
import { type DecidingEntry, decidingEntry } from '../judge/verdict.ts'
import { contentRoot } from '../model/content-root.ts'
import { arenaLimits } from '../model/limits.ts'
import type { TraceEntry } from '../model/trace-entry.ts'
import { knownShapes } from '../results/redactor.ts'

/** A value at the target of an indicator, and the message that holds it. */
export interface UnmatchedValue {
  readonly entry: DecidingEntry
  readonly target: string
  readonly value: string
}

/** By the id of the indicator; none for one that no message of the agent has a value for. */
export async function unmatchedValues(
  attack: LoadedAttack,
  trace: readonly TraceEntry[],
): Promise<ReadonlyMap<string, UnmatchedValue>> {
  const entries = trace.filter(({ flow }) => flow === 'in')
  const seen = await judgeEachMessage(attack, entries, { cel: createCelEvaluator(), maxVerdicts: 0 })
  const redactor = knownShapes()
  const values = new Map<string, UnmatchedValue>()
  for (const [position, indicator] of (attack.document.attack.indicators ?? []).entries()) {
    const steps = seen[position]?.steps ?? []
    const target = targetOf(indicator)
    const rootOf = contentRoot([target])
    for (const [index, entry] of entries.entries()) {
      const root = rootOf(entry)
      const value = steps[index] === 'evaluated' ? resolveWildcardPath(target, root).at(-1) : undefined
      const text = value === undefined ? undefined : valueToText(value, 'document', defaultLimits)
      if (text?.ok !== true) continue
      const shown = cut(redactor.text(text.value), arenaLimits.unmatchedText)
      values.set(indicator.id ?? '', { entry: decidingEntry(entry), target, value: shown })
    }
  }
  return values
}

function targetOf({ target, pattern, semantic }: Indicator): string {
  return pattern?.target ?? semantic?.target ?? target
}
