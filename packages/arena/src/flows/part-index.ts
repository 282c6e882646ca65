/**
 * A substring index. It stores a ten-character block at every third position, so that any common substring of at least
 * twelve characters contains a whole block. A filter of all twelve-character substrings rejects nearly all others. Time
 * is linear and memory is bounded.
 */
import { arenaLimits } from '../model/limits.ts'
import { createBlockTable, type StoredBlock } from './block-table.ts'
import { backwardHash, createPartFilter, forwardHash, keyOf } from './part-hash.ts'

/** A common substring of an indexed text and the searched text. */
interface PartMatch {
  readonly value: number
  /** Position in the indexed text. */
  readonly from: number
  /** Position in the searched text. */
  readonly at: number
  readonly length: number
}

interface PartSearch {
  readonly matches: readonly PartMatch[]
  /** True if the reversed text may share a substring with an indexed one. */
  readonly mayBeReversed: boolean
}

interface PartIndex {
  /** Returns false once the index is full. A block's frequency counts owners, not texts. */
  add(text: string, value: number, owner: string): boolean
  search(text: string): PartSearch
}

export const SHORTEST_PART = 12

const BLOCK = 10
const STEP = SHORTEST_PART - BLOCK + 1
const NOTHING: PartSearch = { matches: [], mayBeReversed: false }

/** The size of an empty filter as a power of two, and the minimum number of bits per character. */
const FILTER_POWER = 14
const FILTER_BITS = 8

/** `onLimit` is called if a limit hides a common substring. */
export function createPartIndex(onLimit: () => void): PartIndex {
  const texts: string[] = []
  const owners = new Map<string, number>()
  const blocks = createBlockTable()
  let power = FILTER_POWER
  let filter = createPartFilter(SHORTEST_PART, power)
  let size = 0

  const addToFilter = (text: string) => {
    if (size * FILTER_BITS <= 2 ** power) return filter.add(text)
    while (size * FILTER_BITS > 2 ** power) power++
    filter = createPartFilter(SHORTEST_PART, power)
    for (const one of texts) if (one !== undefined) filter.add(one)
  }
  return {
    add(text, value, owner) {
      if (text.length < SHORTEST_PART) return true
      if (size + text.length > arenaLimits.flowCharacters) return false
      size += text.length
      texts[value] = text
      const number = owners.get(owner) ?? owners.size
      owners.set(owner, number)
      addToFilter(text)
      for (let from = 0; from + BLOCK <= text.length; from += STEP) {
        if (isVaried(text, from)) blocks.add(blockAt(text, from), { value, from }, number)
      }
      return true
    },
    search(text) {
      let matches: PartMatch[] | undefined
      let mayBeReversed = false
      let next = 0
      const isFull = () => matches !== undefined && matches.length >= arenaLimits.flowMatches
      const take = (block: StoredBlock) => {
        if (isFull() || matches?.some((match) => isCovered(match, block, next))) return
        const match = matchAt(text, next, texts[block.value] ?? '', block)
        if (match !== undefined) matches = [...(matches ?? []), match]
      }
      filter.search(text, (part) => {
        for (next = Math.max(next, part); next < part + STEP && !isFull(); next++)
          if (blocks.visit(blockAt(text, next), take)) mayBeReversed = true
        return !isFull()
      })
      if (isFull()) onLimit()
      return matches === undefined && !mayBeReversed ? NOTHING : { matches: matches ?? [], mayBeReversed }
    },
  }
}

function blockAt(text: string, from: number) {
  const hash = forwardHash(text, from, BLOCK)
  const byte = (at: number) => (at < 0 || at >= text.length ? 0 : text.charCodeAt(at) & 0xff)
  const end = from + BLOCK
  const around = (byte(from - 2) << 24) | (byte(from - 1) << 16) | (byte(end) << 8) | byte(end + 1)
  return { key: keyOf(hash, backwardHash(text, from, BLOCK)), hash, around }
}

/** True for a position that an earlier match covers at the same offset. */
function isCovered(match: PartMatch, { value, from }: StoredBlock, at: number): boolean {
  return match.value === value && match.at - match.from === at - from && at < match.at + match.length
}

/** Extends a common block to the longest common substring around it. */
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

/** True for a block with at least three different characters, unlike rulers, padding and white space. */
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
