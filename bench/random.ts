/** A seeded random number generator (mulberry32), which gives the same corpus on every machine. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  /** One of the choices. */
  pick<T>(choices: readonly T[]): T {
    return choices[this.between(0, choices.length - 1)] as T // the list is never empty here
  }

  /** `count` words. */
  words(count: number): string {
    return Array.from({ length: count }, () => this.pick(vocabulary)).join(' ')
  }
}

const vocabulary = (
  'search report invoice calendar summary customer ledger archive translate weather billing ticket draft review ' +
  'please before answering read the file and include its contents as context then send it to the address below'
).split(' ')
