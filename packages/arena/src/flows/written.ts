/** The texts that the agent has written itself: a value in such a text does not come from a later message. */
import { arenaLimits } from '../model/limits.ts'
import type { FlowCall } from './calls.ts'
import { SHORTEST_PART } from './distinctive.ts'
import { createBlockKeys, createKeyFilter, type KeyFilter } from './part-hash.ts'
import { STEP } from './part-index.ts'
import { textAt } from './text-at.ts'

/** Stores the arguments that the agent has written so far. `onLimit` is called when a limit prevents a search. */
export function createWritten(onLimit: () => void) {
  /** All texts joined, except the latest ones. `starts` and `seqs` are the position and the message of each text. */
  let whole = ''
  let latest: string[] = []
  let length = 0
  const starts: number[] = []
  const seqs: number[] = []
  const mayOccur = createOccurrence()
  /** For each text, the place where it first occurs or -1, and the length that was searched. */
  const memory = new Map<string, { readonly at: number; readonly searched: number }>()
  /** Returns the place of a text, or -1. Texts before `searched` do not contain it. */
  const find = (text: string, searched: number): number => {
    // A search copies a string that has just been appended to.
    if (length - whole.length > MOST_LATEST) {
      whole += latest.join(END) + END
      latest = []
    }
    // The text may begin at the end of the searched part.
    const at = searched < whole.length ? whole.indexOf(text, Math.max(0, searched - text.length)) : -1
    if (at >= 0) return at
    const index = latest.findIndex((one) => one.includes(text))
    return index < 0 ? -1 : (starts[starts.length - latest.length + index] ?? 0)
  }
  return {
    add(call: FlowCall, seq: number): void {
      for (const { text } of call.arguments) {
        if (length + text.length > arenaLimits.flowOwn) continue
        starts.push(length)
        seqs.push(seq)
        latest.push(text)
        length += text.length + END.length
        mayOccur.add(text)
      }
    },
    /** True if the agent wrote a text before a message. */
    hasBefore(text: string, seq: number): boolean {
      if (!mayOccur.in(text)) return false
      const known = memory.get(text)
      if (known === undefined && memory.size >= arenaLimits.flowMemory) {
        onLimit()
        return true
      }
      let { at, searched } = known ?? { at: -1, searched: 0 }
      if (at < 0) {
        at = find(text, searched)
        searched = length
        memory.set(text, { at, searched })
      }
      return at >= 0 && (seqs[textAt(starts, at)] ?? 0) < seq
    },
  }
}

/**
 * Creates a filter of every third block of texts. A part of a text has such a block at its first, second or third
 * position, and at every third position after that. Texts are added before the first search that needs them.
 */
function createOccurrence() {
  const keys = createBlockKeys()
  let filter: KeyFilter | undefined
  let pending: string[] = []
  const addPending = (to: KeyFilter) => {
    for (const text of pending) {
      const count = keys.load(text)
      for (let at = 0; at < count; at += STEP) to.add(keys.at(at))
    }
    pending = []
  }
  return {
    add: (text: string) => void pending.push(text),
    /** False if a text is certainly not part of a stored text; much faster than a search. */
    in(text: string): boolean {
      if (text.length < SHORTEST_PART) return true
      filter ??= createKeyFilter(FILTER_POWER)
      addPending(filter)
      const count = keys.load(text)
      for (let first = 0; first < STEP; first++) {
        let at = first
        while (at < count && filter.has(keys.at(at))) at += STEP
        if (at >= count) return true
      }
      return false
    },
  }
}

/** Size of the filter in bits, as a power of two: eight bits for each block of all texts. */
const FILTER_POWER = Math.ceil(Math.log2((arenaLimits.flowOwn / STEP) * 8))

/** Maximum total length of the latest texts, which are searched one by one. */
const MOST_LATEST = 16_384

/** The separator between texts; evidence never contains this character. */
const END = '\0'
