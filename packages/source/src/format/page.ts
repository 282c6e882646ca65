import { columnOf, commentAt, lineEnd, lineStart } from '../yaml/scan.ts'

export const BREAK = /\r\n|\n|\r/

const BLANK = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)/

/** The lines of a formatted text, with the comments and blank lines of the original. */
export class Page {
  readonly text: string
  readonly #comments: readonly number[]
  readonly #lines: string[] = []
  readonly #levels: { readonly old: number; readonly column: number }[] = []
  #nextComment = 0
  /** The offset up to which the original text has been written. */
  #done = 0

  constructor(text: string, comments: readonly number[]) {
    this.text = text
    this.#comments = comments
  }

  /** Writes the directives, comments and marker before the document. */
  head(start: number): void {
    const lines = this.text.slice(this.text.startsWith('\ufeff') ? 1 : 0, start).split(BREAK)
    const beside = lines.pop()?.trim() ?? ''
    const blank = this.#outside(lines)
    if (blank) this.#lines.push('')
    if (beside !== '') this.#lines.push(beside)
    this.done(start)
  }

  /** Writes the comments and markers after the document. Returns the whole text. */
  end(offset: number): string {
    const end = lineEnd(this.text, offset)
    const comment = this.#comments[this.#nextComment] ?? end
    if (comment < end) this.#trail(comment)
    this.#outside(this.text.slice(end).split(BREAK).slice(1))
    return `${this.#lines.join('\n')}\n`
  }

  line(column: number, text: string): void {
    this.#lines.push(`${' '.repeat(column)}${text}`)
  }

  add(text: string): void {
    this.#lines.push(`${this.#lines.pop() ?? ''}${text}`)
  }

  done(offset: number): void {
    this.#done = Math.max(this.#done, offset)
    while ((this.#comments[this.#nextComment] ?? offset) < offset) this.#nextComment++
  }

  level(old: number, column: number): void {
    while ((this.#levels.at(-1)?.old ?? -1) >= old) this.#levels.pop()
    this.#levels.push({ old, column })
  }

  /**
   * Writes the comments before an offset, and a blank line where the original has one. The next element moves from
   * column `old` to `column`, or continues the current line if it `canContinue`. Returns true if it must start a new
   * line.
   */
  comments(offset: number, old: number, column: number, canContinue: boolean): boolean {
    let startsLine = !canContinue
    for (;;) {
      const comment = this.#comments[this.#nextComment]
      if (comment === undefined || comment >= offset) break
      if (this.text.slice(lineStart(this.text, comment), comment).trim() === '') {
        this.#blank(comment)
        this.line(this.#columnFor(columnOf(this.text, comment), old, column), commentAt(this.text, comment))
        this.#next(comment)
      } else this.#trail(comment)
      startsLine = true
    }
    if (startsLine) this.#blank(offset)
    return startsLine
  }

  /** Writes a trailing comment with the original spacing. */
  #trail(comment: number): void {
    const before = /[ \t]*$/.exec(this.text.slice(lineStart(this.text, comment), comment))?.[0] ?? ''
    this.add(`${before.includes('\t') || before === '' ? ' ' : before}${commentAt(this.text, comment)}`)
    this.#next(comment)
  }

  #next(comment: number): void {
    this.#nextComment++
    this.#done = lineEnd(this.text, comment)
  }

  #blank(offset: number): void {
    const between = this.text.slice(this.#done, offset)
    if (this.#lines.length > 0 && BLANK.test(between)) this.#lines.push('')
    this.#done = offset
  }

  /** Returns the new column of a comment, which is the column of the innermost block that may contain it. */
  #columnFor(comment: number, old: number, column: number): number {
    const level = this.#levels.findLast((open) => open.old <= comment)
    if (level === undefined) return column
    return old <= comment && old >= level.old ? column : level.column
  }

  /** Writes lines outside the document, with no consecutive blank lines. Returns true if a blank line is pending. */
  #outside(lines: readonly string[]): boolean {
    let blank = false
    for (const line of lines.map((text) => text.trim())) {
      if (line !== '') this.#lines.push(...(blank ? ['', line] : [line]))
      blank = line === '' && this.#lines.length > 0
    }
    return blank
  }
}
