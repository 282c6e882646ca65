/**
 * An index of parts of texts. It stores a ten-character block at every third position, so that any common part of at
 * least twelve characters contains a whole block. Time is linear and memory is bounded.
 */
import { arenaLimits } from '../model/limits.ts'

/** A common part of a text and an indexed one. */
interface PartMatch {
  readonly value: number
  /** The position of the part in the indexed text. */
  readonly from: number
  /** The position of the part in the searched text. */
  readonly at: number
  readonly length: number
}

/** An index of texts by number. */
interface PartIndex {
  /** Adds a text; false once the index is full. Texts of one owner count as one in the frequency of a block. */
  add(text: string, value: number, owner: string): boolean
  /** The common parts of a text with indexed ones, of at least `SHORTEST_PART` characters. */
  find(text: string): PartMatch[]
  /** True if the reversed text may have a common part with an indexed one. */
  mayBeReversed(text: string): boolean
}

/** The shortest part that counts as evidence. */
export const SHORTEST_PART = 12

const BLOCK = 10
const STEP = SHORTEST_PART - BLOCK + 1
const BASE = 0x01000193
const power = (length: number) => Array.from({ length }).reduce<number>((product) => Math.imul(product, BASE), 1)
const OUT = power(BLOCK)
const LAST = power(BLOCK - 1)
/** The inverse of BASE modulo 2^32: each step doubles the number of correct bits. */
const INVERSE = Array.from({ length: 5 }).reduce<number>(
  (inverse) => Math.imul(inverse, 2 - Math.imul(BASE, inverse)),
  BASE,
)

/** Maximum number of stored places of a block. */
const MOST_PLACES = 6
/** Maximum number of owners of a block; a more frequent one is not evidence. */
const MOST_OWNERS = 4

/** Creates an empty index. `onLimit` is called when a limit hides a common part. */
export function createPartIndex(onLimit: () => void): PartIndex {
  const texts: { readonly text: string; readonly owner: string }[] = []
  const blocks = new Map<number, Block>()
  const filter = createFilter()
  let room: number = arenaLimits.flowCharacters

  const addBlock = (hash: number, place: Place, owner: string) => {
    const block = blocks.get(hash)
    if (block === undefined) {
      blocks.set(hash, { places: [place], isEverywhere: false })
      filter.add(hash, blocks)
      return
    }
    if (block.isEverywhere) return
    const owners = new Set(block.places.map(({ value }) => texts[value]?.owner))
    if (!owners.has(owner) && owners.size >= MOST_OWNERS) {
      block.isEverywhere = true
      block.places.length = 0
    } else if (block.places.length < MOST_PLACES) block.places.push(place)
  }
  return {
    add(text, value, owner) {
      if (text.length < SHORTEST_PART) return true
      if (text.length > room) return false
      room -= text.length
      texts[value] = { text, owner }
      for (let from = 0; from + BLOCK <= text.length; from += STEP)
        if (isVaried(text, from)) addBlock(hashOf(text, from), { value, from, around: neighbours(text, from) }, owner)
      return true
    },
    find(text) {
      const matches: PartMatch[] = []
      filter.search(text, (hash, at) => {
        const block = blocks.get(hash)
        if (block === undefined) return true
        const around = neighbours(text, at)
        for (const place of block.places) {
          if (!isLonger(around, place.around) || matches.some((match) => isCovered(match, place, at))) continue
          const match = matchAt(text, at, texts[place.value]?.text ?? '', place)
          if (match !== undefined) matches.push(match)
        }
        if (matches.length < arenaLimits.flowMatches) return true
        onLimit()
        return false
      })
      return matches
    },
    mayBeReversed(text) {
      let isFound = false
      filter.searchReversed(text, (hash) => {
        isFound = blocks.get(hash)?.isEverywhere === false
        return !isFound
      })
      return isFound
    },
  }
}

/** The characters before and after a block, as one number. */
function neighbours(text: string, at: number): number {
  const before = at > 0 ? text.charCodeAt(at - 1) : 0
  return before * 0x10000 + (at + BLOCK < text.length ? text.charCodeAt(at + BLOCK) : 0)
}

/** True if the characters before or after two blocks are equal, as in every longer common part. */
function isLonger(one: number, other: number): boolean {
  return (one & 0xffff) === (other & 0xffff) || Math.floor(one / 0x10000) === Math.floor(other / 0x10000)
}

/** True for a position that an earlier match covers at the same offset. */
function isCovered(match: PartMatch, { value, from }: Place, at: number): boolean {
  return match.value === value && match.at - match.from === at - from && at < match.at + match.length
}

interface Place {
  readonly value: number
  readonly from: number
  /** The adjacent characters of the block; see `neighbours`. */
  readonly around: number
}

interface Block {
  readonly places: Place[]
  isEverywhere: boolean
}

/** The initial size of the filter, and the minimum number of bits per hash, both as powers of two. */
const FILTER_BITS = 14
const BITS_EACH = 5

/** An approximate set of hashes (Bloom filter): fast, with few false positives and no false negatives. */
function createFilter() {
  let bits: Uint8Array | undefined
  let mask = 0
  const set = (filter: Uint8Array, hash: number) => {
    const bit = (hash ^ (hash >>> 9)) & mask
    filter[bit >>> 3] = (filter[bit >>> 3] ?? 0) | (1 << (bit & 7))
  }
  return {
    /** Adds a hash, which `all` already contains; a full filter is rebuilt from `all`. */
    add(hash: number, all: ReadonlyMap<number, unknown>): void {
      if (bits === undefined || all.size << BITS_EACH > mask) {
        mask = bits === undefined ? 2 ** FILTER_BITS - 1 : 8 * mask + 7
        bits = new Uint8Array((mask + 1) >>> 3)
        for (const one of all.keys()) set(bits, one)
      } else set(bits, hash)
    },
    /** Calls back for the blocks of a text whose hash may be in the set, until one returns false. */
    search(text: string, visit: (hash: number, at: number) => boolean): void {
      const filter = bits
      if (filter === undefined || text.length < SHORTEST_PART) return
      let hash = hashOf(text, 0)
      const end = text.length - BLOCK
      for (let at = 0; ; at++) {
        const bit = (hash ^ (hash >>> 9)) & mask
        if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0 && !visit(hash, at)) return
        if (at >= end) return
        hash = (Math.imul(hash, BASE) + text.charCodeAt(at + BLOCK) - Math.imul(text.charCodeAt(at), OUT)) | 0
      }
    },
    /** Like `search`, for the blocks of the reversed text. */
    searchReversed(text: string, visit: (hash: number) => boolean): void {
      const filter = bits
      if (filter === undefined || text.length < SHORTEST_PART) return
      let hash = 0
      for (let at = BLOCK - 1; at >= 0; at--) hash = (Math.imul(hash, BASE) + text.charCodeAt(at)) | 0
      const end = text.length - BLOCK
      for (let at = 0; ; at++) {
        const bit = (hash ^ (hash >>> 9)) & mask
        if (((filter[bit >>> 3] ?? 0) & (1 << (bit & 7))) !== 0 && !visit(hash)) return
        if (at >= end) return
        hash = (Math.imul(hash - text.charCodeAt(at), INVERSE) + Math.imul(text.charCodeAt(at + BLOCK), LAST)) | 0
      }
    },
  }
}

/** The longest common part of two texts around a block. */
function matchAt(text: string, at: number, other: string, { value, from }: Place): PartMatch | undefined {
  let before = 0
  while (before < at && before < from && text.charCodeAt(at - before - 1) === other.charCodeAt(from - before - 1))
    before++
  let after = 0
  const most = Math.min(text.length - at, other.length - from)
  while (after < most && text.charCodeAt(at + after) === other.charCodeAt(from + after)) after++
  const length = before + after
  return after < BLOCK || length < SHORTEST_PART ? undefined : { value, from: from - before, at: at - before, length }
}

function hashOf(text: string, from: number): number {
  let hash = 0
  for (let index = from; index < from + BLOCK; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0
  return hash
}

/** True for a part with several different characters, unlike rulers, padding and white space. */
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
