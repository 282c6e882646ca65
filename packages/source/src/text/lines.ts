import type { Position } from '../model/diagnostic.ts'

/** The lines of a text, with a conversion of offsets to positions. A byte order mark belongs to no line. */
export class Lines {
  readonly #text: string
  readonly #starts: readonly number[]

  constructor(text: string) {
    const starts = [text.startsWith('\ufeff') ? 1 : 0]
    for (let index = 0; index < text.length; index++) {
      const unit = text.charCodeAt(index)
      if (unit === 10 || (unit === 13 && text.charCodeAt(index + 1) !== 10)) starts.push(index + 1)
    }
    this.#text = text
    this.#starts = starts
  }

  /** The number of lines. An empty text has one line. */
  get count(): number {
    return this.#starts.length
  }

  /** Returns a line by its number, from 1, without its line break; empty for an unknown number. */
  line(number: number): string {
    const start = this.#starts[number - 1]
    if (start === undefined) return ''
    const next = this.#starts[number]
    if (next === undefined) return this.#text.slice(start)
    const crlf = this.#text.charCodeAt(next - 1) === 10 && this.#text.charCodeAt(next - 2) === 13
    return this.#text.slice(start, next - (crlf ? 2 : 1))
  }

  /** Returns the position of an offset, which is clamped to the text. */
  position(offset: number): Position {
    const line = Math.max(1, countBelow(this.#starts, offset + 1))
    const column = Math.min(offset, this.#text.length) - (this.#starts[line - 1] ?? 0) + 1
    return { line, column: Math.max(1, column) }
  }
}

export function countBelow(offsets: readonly number[], bound: number): number {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((offsets[middle] ?? 0) < bound) low = middle + 1
    else high = middle
  }
  return low
}
