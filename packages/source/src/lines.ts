import type { Position } from './diagnostic.ts'

/** Offsets of a text to lines and columns and back. Built once a position is asked for. */
export class Lines {
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [0]
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1)
    }
    this.#starts = starts
  }

  /** The position of an offset. */
  position(offset: number): Position {
    let low = 0
    let high = this.#starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.#starts[middle] ?? 0) <= offset) low = middle
      else high = middle - 1
    }
    return { line: low + 1, column: offset - (this.#starts[low] ?? 0) + 1 }
  }
}
