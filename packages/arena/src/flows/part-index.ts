/**
 * An index of parts of texts. It stores a ten-character block at every third position, so that any common part of at
 * least twelve characters contains a stored block. A filter of all blocks comes first: every third block of a searched
 * text is looked up in it, and texts are indexed only once that is not enough. Time is linear and memory is bounded.
 */
import { arenaLimits } from '../model/limits.ts'
import { createBlockTable } from './block-table.ts'
import { mayBeEvidence, SHORTEST_PART, type Span } from './distinctive.ts'
import { BLOCK, type BlockKeys, createBlockKeys, createKeyFilter, directedHash } from './part-hash.ts'
import { textAt } from './text-at.ts'

/** A common part of a searched text and an indexed text. */
interface PartMatch {
  readonly value: number
  /** The position of the part in the indexed text. */
  readonly from: number
  /** The position of the part in the searched text. */
  readonly at: number
  readonly length: number
}

/** The result of a search for a text. */
interface PartSearch {
  /** The common parts with indexed texts, of at least `SHORTEST_PART` characters. */
  readonly matches: readonly PartMatch[]
  /** True if the reversed text may have a common part with an indexed text. */
  readonly mayBeReversed: boolean
}

/** An index of texts by number. */
interface PartIndex {
  /** Adds a text; returns false if the index is full. In the frequency of a block, each owner counts once. */
  add(text: string, value: number, owner: string): boolean
  search(text: string): PartSearch
}

/** The distance between stored blocks. */
export const STEP = SHORTEST_PART - BLOCK + 1
const NOTHING: PartSearch = { matches: [], mayBeReversed: false }

/** Creates an empty index. `onLimit` is called when a limit hides a common part. */
export function createPartIndex(onLimit: () => void): PartIndex {
  const texts: string[] = []
  const owners = new Map<string, number>()
  const blocks = createBlockTable(onLimit)
  const keys = createBlockKeys()
  const filter = createBlockFilter(keys)
  let size = 0
  /** The offset of each text in the sequence of all texts. */
  const starts: number[] = []
  /** Texts that are only in the filter so far. */
  let pending: PendingText[] = []
  return {
    add(text, value, owner) {
      if (text.length < SHORTEST_PART) return true
      if (size + text.length > arenaLimits.flowCharacters) return false
      filter.reserve(size + text.length, texts)
      const number = owners.get(owner) ?? owners.size
      owners.set(owner, number)
      pending.push({ text, start: size, owner: number, known: filter.add(text) })
      texts[value] = text
      starts[value] = size
      size += text.length
      return true
    },
    search(text) {
      const parts = filter.partsOf(text).filter(({ start, end }) => mayBeEvidence(text, start, end))
      if (parts.length === 0) return NOTHING
      for (const one of pending) addBlocks(blocks, keys, one)
      pending = []
      keys.load(text)
      const matches: PartMatch[] = []
      let mayBeReversed = false
      const isFull = () => matches.length >= arenaLimits.flowMatches
      const take = (at: number, place: number) => {
        const block = blockIn(starts, place)
        if (isFull() || matches.some((match) => isCovered(match, block, at))) return
        const match = matchAt(text, at, texts[block.value] ?? '', block)
        if (match !== undefined) matches.push(match)
      }
      for (const { start, end } of parts)
        for (let at = start; at + BLOCK <= end && !isFull(); at++)
          if (blocks.visit(blockAt(keys, text, at), (place) => take(at, place))) mayBeReversed = true
      if (isFull()) onLimit()
      return { matches, mayBeReversed }
    },
  }
}

/** The size of an empty filter in bits, as a power of two, and the minimum number of bits per character. */
const FILTER_POWER = 14
const FILTER_BITS = 8
const NO_PARTS: readonly Span[] = []

/** Creates an approximate set of all blocks of texts. */
function createBlockFilter(keys: BlockKeys) {
  let power = FILTER_POWER
  let filter = createKeyFilter(power)
  const add = (text: string): Uint8Array => {
    const count = keys.load(text)
    const known = new Uint8Array(Math.ceil(Math.max(0, count) / STEP))
    for (let at = 0; at < count; at++) {
      const key = keys.at(at)
      if (at % STEP === 0 && filter.has(key)) known[at / STEP] = 1
      filter.add(key)
    }
    return known
  }
  const has = (at: number) => filter.has(keys.at(at))
  return {
    /** Adds a text; returns 1 for each of its stored blocks that may equal an earlier block, 0 for the others. */
    add,
    /** Makes room for a number of characters; `texts` are added again if a larger filter is needed. */
    reserve(size: number, texts: readonly string[]): void {
      if (size * FILTER_BITS <= 2 ** power) return
      while (size * FILTER_BITS > 2 ** power) power += 2
      filter = createKeyFilter(power)
      for (const text of texts) if (text !== undefined) add(text)
    },
    /** Returns the parts of a text, of at least `SHORTEST_PART` characters, whose blocks are all in the filter. */
    partsOf(text: string): readonly Span[] {
      const last = keys.load(text) - 1
      let parts: Span[] | undefined
      for (let at = STEP - 1; at <= last; at += STEP) {
        if (!has(at)) continue
        let [start, end] = [at, at]
        while (start > 0 && has(start - 1)) start--
        while (end < last && has(end + 1)) end++
        if (end - start + BLOCK >= SHORTEST_PART) {
          parts ??= []
          parts.push({ start, end: end + BLOCK })
        }
        // Continue with every third of the remaining blocks.
        at += Math.floor((end - at) / STEP) * STEP
      }
      return parts ?? NO_PARTS
    },
  }
}

/** A text whose blocks are not in the table yet. */
interface PendingText {
  readonly text: string
  readonly start: number
  readonly owner: number
  /** 1 for each stored block that may equal an earlier block. */
  readonly known: Uint8Array
}

function addBlocks(
  blocks: ReturnType<typeof createBlockTable>,
  keys: BlockKeys,
  { text, start, owner, known }: PendingText,
): void {
  const count = keys.load(text)
  for (let from = 0; from < count; from += STEP) {
    if (!isVaried(text, from)) continue
    const add = known[from / STEP] === 1 ? blocks.add : blocks.addNew
    add(blockAt(keys, text, from), start + from, owner)
  }
}

function blockAt(keys: BlockKeys, text: string, from: number) {
  return { key: keys.at(from), hash: directedHash(text, from) }
}

/** A stored block: the number of its text, and its position in the text. */
interface StoredBlock {
  readonly value: number
  readonly from: number
}

/** Returns the block at a place in the sequence of all texts. */
function blockIn(starts: readonly number[], place: number): StoredBlock {
  const value = textAt(starts, place)
  return { value, from: place - (starts[value] ?? 0) }
}

/** True for a position that an earlier match covers at the same offset. */
function isCovered(match: PartMatch, { value, from }: StoredBlock, at: number): boolean {
  return match.value === value && match.at - match.from === at - from && at < match.at + match.length
}

/** Returns the longest common part of two texts around a block; undefined if it is too short. */
function matchAt(text: string, at: number, other: string, { value, from }: StoredBlock): PartMatch | undefined {
  let before = 0
  while (before < at && before < from && text.charCodeAt(at - before - 1) === other.charCodeAt(from - before - 1))
    before++
  let after = 0
  const most = Math.min(text.length - at, other.length - from)
  while (after < most && text.charCodeAt(at + after) === other.charCodeAt(from + after)) after++
  const length = before + after
  return after < BLOCK || length < SHORTEST_PART ? undefined : { value, from: from - before, at: at - before, length }
}

/** True for a block with several different characters, unlike rulers, padding and white space. */
function isVaried(text: string, from: number): boolean {
  const first = text.charCodeAt(from)
  let second = -1
  for (let index = from + 1; index < from + BLOCK; index++) {
    const code = text.charCodeAt(index)
    if (code === first || code === second) continue
    if (second >= 0) return true
    second = code
  }
  return false
}
