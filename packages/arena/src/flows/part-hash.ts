/** Hashes of substrings. A substring and its reversal have the same key, so one pass over a text finds both. */

const BASE = 0x01000193
/** The inverse of BASE modulo 2^32: each step doubles the number of correct bits. */
const INVERSE = Array.from({ length: 5 }).reduce<number>(
  (inverse) => Math.imul(inverse, 2 - Math.imul(BASE, inverse)),
  BASE,
)
const powerOf = (length: number) => Array.from({ length }).reduce<number>((product) => Math.imul(product, BASE), 1)

export function forwardHash(text: string, from: number, length: number): number {
  let hash = 0
  for (let index = from; index < from + length; index++) hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0
  return hash
}

export function backwardHash(text: string, from: number, length: number): number {
  let hash = 0
  for (let index = from + length - 1; index >= from; index--)
    hash = (Math.imul(hash, BASE) + text.charCodeAt(index)) | 0
  return hash
}

/** The common key of a substring and its reversal, from their hashes; its bits depend on all characters. */
export function keyOf(forward: number, backward: number): number {
  const mixed = Math.imul((forward + backward) | 0, 0x85ebca6b) + Math.imul(forward ^ backward, 0x9e3779b1)
  return Math.imul(mixed ^ (mixed >>> 15), 0xc2b2ae35)
}

/** An approximate set of substrings of one length (Bloom filter): few false positives, no false negatives. */
interface PartFilter {
  add(text: string): void
  /** Calls back for each position where a substring may be in the set, until a callback returns false. */
  search(text: string, visit: (at: number) => boolean): void
}

/** `power` is the binary logarithm of the number of bits. */
export function createPartFilter(length: number, power: number): PartFilter {
  const bits = new Int32Array(2 ** (power - 5))
  const [out, last] = [powerOf(length), powerOf(length - 1)]
  /** Adds the substrings, or searches for them if there is a callback. Each hash is computed from the previous one. */
  const pass = (text: string, visit?: (at: number) => boolean) => {
    if (text.length < length) return
    let [forward, backward] = [forwardHash(text, 0, length), backwardHash(text, 0, length)]
    for (let at = 0; ; at++) {
      const key = keyOf(forward, backward)
      const index = key >>> (37 - power)
      const mask = (1 << key) | (1 << (key >>> 5)) | (1 << (key >>> 8))
      const word = bits[index] ?? 0
      if (visit === undefined) bits[index] = word | mask
      else if ((word & mask) === mask && !visit(at)) return
      if (at + length >= text.length) return
      const first = text.charCodeAt(at)
      const next = text.charCodeAt(at + length)
      forward = (Math.imul(forward, BASE) + next - Math.imul(first, out)) | 0
      backward = (Math.imul((backward - first) | 0, INVERSE) + Math.imul(next, last)) | 0
    }
  }
  return { add: (text) => pass(text), search: pass }
}
