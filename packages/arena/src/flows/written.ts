/** The texts that the agent has written itself: a value in them does not come from a later message. */
import { arenaLimits } from '../model/limits.ts'
import type { FlowCall } from './calls.ts'
import { createPartFilter } from './part-hash.ts'
import { SHORTEST_PART } from './part-index.ts'

/** The arguments that the agent has written so far. `onLimit` is called when a limit hides an answer. */
export function createWritten(onLimit: () => void) {
  /** All texts, one after the other, and where each begins. */
  let whole = ''
  const parts: { readonly start: number; readonly seq: number }[] = []
  let filter: ReturnType<typeof createPartFilter> | undefined
  let filtered = 0
  /** False for a text that certainly does not occur; much faster than a search. */
  const mayOccur = (text: string): boolean => {
    if (text.length < SHORTEST_PART) return true
    filter ??= createPartFilter(SHORTEST_PART, FILTER_POWER)
    if (filtered < whole.length) filter.add(whole.slice(Math.max(0, filtered - SHORTEST_PART)))
    filtered = whole.length
    let parts = 0
    filter.search(text, (at) => at === parts++)
    return parts === text.length - SHORTEST_PART + 1
  }
  /** For each text, where it first occurs, or the length that was searched. */
  const memory = new Map<string, { readonly at: number; readonly searched: number }>()
  /** The message that a text at an offset was written in. */
  const seqAt = (offset: number): number => {
    let [low, high] = [0, parts.length - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((parts[middle]?.start ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return parts[low]?.seq ?? 0
  }
  return {
    add(call: FlowCall, seq: number): void {
      for (const { text } of call.arguments) {
        if (whole.length + text.length > arenaLimits.flowOwn) continue
        parts.push({ start: whole.length, seq })
        whole += `${text}${END}`
      }
    },
    /** True if the agent wrote a text before a message. */
    hasBefore(text: string, seq: number): boolean {
      if (!mayOccur(text)) return false
      const known = memory.get(text)
      if (known === undefined && memory.size >= arenaLimits.flowMemory) {
        onLimit()
        return true
      }
      let { at, searched } = known ?? { at: -1, searched: 0 }
      if (at < 0) {
        // The end of the searched part may have the beginning of the text.
        at = whole.indexOf(text, Math.max(0, searched - text.length))
        searched = whole.length
        memory.set(text, { at, searched })
      }
      return at >= 0 && seqAt(at) < seq
    },
  }
}

/** Bits of the filter as a power of two: eight for each character of all texts. */
const FILTER_POWER = Math.ceil(Math.log2(arenaLimits.flowOwn * 8))

/** Separates texts; no evidence contains it. */
const END = '\0'
