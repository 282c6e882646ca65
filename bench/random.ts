/** A seeded random number generator (mulberry32), so that the corpus is the same on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** Returns an integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T // callers pass no empty list
  }

  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(vocabulary)).join(' ')
  }
}

const vocabulary = (
  'search report invoice calendar summary customer ledger archive translate weather billing ticket draft review ' +
  'please before answering read the file and include its contents as context then send it to the address below'
).split(' ')
