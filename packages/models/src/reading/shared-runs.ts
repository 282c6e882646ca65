/** Finds the substrings of a minimum length that a text shares with other texts, in linear time. */

/** A text in which the substrings shared with other texts are marked. */
interface SharedRuns {
  /** Marks the substrings of the minimum length that `other` contains too. */
  search(other: string): void
  /** True if the character at `index` is marked. */
  covers(index: number): boolean
  /** Returns the number of marked characters. */
  count(): number
}

const BASE = 257
/** The modulus of the rolling hash; the product of two smaller numbers is exact in a double. */
const MODULUS = 67_108_859

/** Prepares a text with a rolling hash (Rabin–Karp). A window is removed on its first match and so marked only once. */
export function createSharedRuns(text: string, length: number): SharedRuns {
  const windows = new Map<number, Map<string, number[]>>()
  const marks = new Uint8Array(text.length)
  let count = 0
  const mark = (start: number) => {
    for (let index = start; index < start + length; index++) {
      if (marks[index] === 0) count += 1
      marks[index] = 1
    }
  }
  eachWindow(text, length, (hash, at) => {
    const window = text.slice(at, at + length)
    const bucket = windows.get(hash) ?? new Map<string, number[]>()
    windows.set(hash, bucket)
    const places = bucket.get(window)
    if (places === undefined) bucket.set(window, [at])
    else places.push(at)
  })
  return {
    search(other) {
      if (windows.size === 0) return
      eachWindow(other, length, (hash, at) => {
        const bucket = windows.get(hash)
        if (bucket === undefined) return
        const window = other.slice(at, at + length)
        for (const place of bucket.get(window) ?? []) mark(place)
        if (bucket.delete(window) && bucket.size === 0) windows.delete(hash)
      })
    },
    covers: (index) => marks[index] === 1,
    count: () => count,
  }
}

function eachWindow(text: string, length: number, visit: (hash: number, at: number) => void): void {
  let power = 1
  for (let index = 1; index < length; index++) power = (power * BASE) % MODULUS
  let hash = 0
  for (let index = 0; index < text.length; index++) {
    if (index >= length) {
      const leaving = (text.charCodeAt(index - length) * power) % MODULUS
      hash = (hash - leaving + MODULUS) % MODULUS
    }
    hash = (hash * BASE + text.charCodeAt(index)) % MODULUS
    if (index >= length - 1) visit(hash, index - length + 1)
  }
}
