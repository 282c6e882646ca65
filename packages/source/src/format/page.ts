import { columnOf, commentAt, lineEnd, lineStart } from '../yaml/scan.ts'

/** A line break of YAML. */
export const BREAK = /\r\n|\n|\r/

const BLANK = /(?:\r\n|\n|\r(?!\n))[ \t]*(?:\r\n|\n|\r)/

/** The lines of a text that is laid out anew, with the comments and blank lines of the old one. */
export class Page {
  readonly text: string
  readonly #comments: readonly number[]
  readonly #lines: string[] = []
  /** The old and the new column of each open block. */
  readonly #levels: { readonly old: number; readonly column: number }[] = []
  #nextComment = 0
  /** Everything before this offset of the old text is on the page. */
  #done = 0

  constructor(text: string, comments: readonly number[]) {
    this.text = text
    this.#comments = comments
  }

  /** Directives, comments and the marker before the document. */
  head(start: number): void {
    const lines = this.text.slice(this.text.startsWith('\ufeff') ? 1 : 0, start).split(BREAK)
    const beside = lines.pop()?.trim() ?? ''
    const blank = this.#outside(lines)
    if (blank) this.#lines.push('')
    if (beside !== '') this.#lines.push(beside)
    this.done(start)
  }

  /** Comments and markers after the document, and the text of it all. */
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

  /** Records the old and the new column of a part of a block. */
  level(old: number, column: number): void {
    while ((this.#levels.at(-1)?.old ?? -1) >= old) this.#levels.pop()
    this.#levels.push({ old, column })
  }

  /**
   * Puts the comments before an offset on the page, and a blank line where there was one. What comes next stood at
   * `old` and will stand at `column`, or beside what is there already if it `canGoOn`. Returns whether it has to start
   * a line.
   */
  comments(offset: number, old: number, column: number, canGoOn: boolean): boolean {
    let fresh = !canGoOn
    for (;;) {
      const comment = this.#comments[this.#nextComment]
      if (comment === undefined || comment >= offset) break
      if (this.text.slice(lineStart(this.text, comment), comment).trim() === '') {
        this.#blank(comment)
        this.line(this.#columnFor(columnOf(this.text, comment), old, column), commentAt(this.text, comment))
        this.#next(comment)
      } else this.#trail(comment)
      fresh = true
    }
    if (fresh) this.#blank(offset)
    return fresh
  }

  /** A comment beside something keeps its distance. */
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

  /** The column of the nearest block that a comment at an old column can belong to. */
  #columnFor(comment: number, old: number, column: number): number {
    const level = this.#levels.findLast((open) => open.old <= comment)
    if (level === undefined) return column
    return old <= comment && old >= level.old ? column : level.column
  }

  /** Lines outside the document: each as it is, at most one blank line in a row. Returns whether one is still due. */
  #outside(lines: readonly string[]): boolean {
    let blank = false
    for (const line of lines.map((one) => one.trim())) {
      if (line !== '') this.#lines.push(...(blank ? ['', line] : [line]))
      blank = line === '' && this.#lines.length > 0
    }
    return blank
  }
}
