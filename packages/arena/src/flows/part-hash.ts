/** Keys of fixed-length text blocks. A block and its reversal have the same key, so one lookup finds both. */

/** The length of a block. */
export const BLOCK = 10

/** The block keys of one text at a time. */
export interface BlockKeys {
  /** Replaces the text; returns its number of blocks. */
  load(text: string): number
  /** Returns the key of the block at a position; all bits of the key depend on all characters. */
  at(from: number): number
}

/** Creates keys without a text. A key is computed from the sum of the hashes of adjacent characters in a block. */
export function createBlockKeys(): BlockKeys {
  /** The sum of the pair hashes up to each position. */
  let sums = new Int32Array(256)
  return {
    load(text) {
      if (text.length > sums.length) sums = new Int32Array(2 ** Math.ceil(Math.log2(text.length)))
      // A local variable is faster in the loop.
      const all = sums
      let before = text.charCodeAt(0)
      let sum = 0
      for (let at = 1; at < text.length; at++) {
        const code = text.charCodeAt(at)
        sum = (sum + pairHash(before, code)) | 0
        all[at] = sum
        before = code
      }
      return text.length - BLOCK + 1
    },
    at(from) {
      const sum = ((sums[from + BLOCK - 1] ?? 0) - (sums[from] ?? 0)) | 0
      return Math.imul(sum ^ (sum >>> 15), 0xc2b2ae35)
    },
  }
}

/** Hashes two characters, in either order; `at` mixes the bits of the sums. */
function pairHash(one: number, other: number): number {
  return Math.imul(one + other, 0x9e3779b1) ^ Math.imul(one * other, 0x85ebca6b)
}

/** Hashes a block; its reversal has a different hash. */
export function directedHash(text: string, from: number): number {
  let hash = 0
  for (let at = from; at < from + BLOCK; at++) hash = (Math.imul(hash, 0x01000193) + text.charCodeAt(at)) | 0
  return hash
}

/** An approximate set of keys (Bloom filter): few false positives, no false negatives. */
export interface KeyFilter {
  add(key: number): void
  has(key: number): boolean
}

/** Creates an empty set with 2 ** `power` bits. */
export function createKeyFilter(power: number): KeyFilter {
  const bits = new Int32Array(2 ** (power - 5))
  const shift = 37 - power
  const maskOf = (key: number) => (1 << key) | (1 << (key >>> 5)) | (1 << (key >>> 8))
  return {
    add(key) {
      const index = key >>> shift
      bits[index] = (bits[index] ?? 0) | maskOf(key)
    },
    has(key) {
      const mask = maskOf(key)
      return ((bits[key >>> shift] ?? 0) & mask) === mask
    },
  }
}
