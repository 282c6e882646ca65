/** Text written by the agent: a value in it was not copied from a later message. */
import { arenaLimits } from '../model/limits.ts'
import type { FlowCall } from './calls.ts'
import { createPartFilter } from './part-hash.ts'
import { SHORTEST_PART } from './part-index.ts'

/** `onLimit` is called if a limit prevents a search. */
export function createWritten(onLimit: () => void) {
  /** All arguments concatenated, and where each begins. */
  let whole = ''
  const parts: { readonly start: number; readonly seq: number }[] = []
  let filter: ReturnType<typeof createPartFilter> | undefined
  let filtered = 0
  /** False if a text certainly does not occur; much faster than a search. */
  const mayOccur = (text: string): boolean => {
    if (text.length < SHORTEST_PART) return true
    filter ??= createPartFilter(SHORTEST_PART, FILTER_POWER)
    if (filtered < whole.length) filter.add(whole.slice(Math.max(0, filtered - SHORTEST_PART)))
    filtered = whole.length
    let parts = 0
    filter.search(text, (at) => at === parts++)
    return parts === text.length - SHORTEST_PART + 1
  }
  /** The first occurrence of each searched text, or the length that was searched without a match. */
  const memory = new Map<string, { readonly at: number; readonly searched: number }>()
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
    /** True if the agent wrote the text before message `seq`. */
    hasBefore(text: string, seq: number): boolean {
      if (!mayOccur(text)) return false
      const previous = memory.get(text)
      if (previous === undefined && memory.size >= arenaLimits.flowMemory) {
        onLimit()
        return true
      }
      let { at, searched } = previous ?? { at: -1, searched: 0 }
      if (at < 0) {
        // The text may begin at the end of the range already searched.
        at = whole.indexOf(text, Math.max(0, searched - text.length))
        searched = whole.length
        memory.set(text, { at, searched })
      }
      return at >= 0 && seqAt(at) < seq
    },
  }
}

/** The filter size as a power of two: at least eight bits per character. */
const FILTER_POWER = Math.ceil(Math.log2(arenaLimits.flowOwn * 8))

/** Separates arguments; no evidence contains it. */
const END = '\0'
