/** Finds the entries of a text with syntax errors by indentation. Never throws. */
import type { Path } from '@joust/source'
import { documentEnd, type Entry, indentOf } from './entry.ts'
import { languageLimits } from './limits.ts'
import { quotedEnd, scanFlow, unquote } from './scan-flow.ts'

const KEY =
  /^(?:"((?:[^"\\]|\\.)*)"|'((?:[^']|'')*)'|([^\s#\-?:,[\]{}&*!|>'"%@`](?:[^#:]|:(?=\S)|(?<=\S)#)*|-[^\s:][^:]*))[ \t]*:(?=\s|$)/

export function scanBlocks(whole: string): Entry[] {
  const text = whole.slice(0, documentEnd(whole))
  const scanner = new Scanner(text)
  const root = /^\ufeff?\s*([[{])/.exec(text)
  if (root === null) scanner.run()
  else scanFlow(text, root[0].length - 1, text.length, [], (entry) => scanner.add(entry))
  return scanner.entries
}

interface Line {
  readonly start: number
  readonly end: number
  /** The offset of the first character that is not white space. */
  readonly content: number
  /** The column of that character; -1 for blank lines and comments. */
  readonly column: number
}

interface BlockEntry extends Entry {
  readonly column: number
}

class Scanner {
  readonly entries: Entry[] = []
  readonly #text: string
  readonly #lines: readonly Line[]
  /** The entries that may contain the next one, innermost last. */
  readonly #open: BlockEntry[] = []
  #next = 0

  constructor(text: string) {
    this.#text = text
    this.#lines = linesOf(text)
  }

  add(entry: Entry): void {
    const same = this.entries.at(-1)
    // For a flow key with a value, keep only the entry with the value.
    if (same?.form === 'empty' && same.key !== undefined && same.key.start === entry.key?.start) this.entries.pop()
    this.entries.push(entry)
  }

  run(): void {
    while (this.#next < this.#lines.length) {
      const line = this.#lines[this.#next++]
      if (line !== undefined && line.column >= 0) this.#line(line)
    }
  }

  #line(line: Line): void {
    let offset = line.content
    if (/^---(?:\s|$)/.test(this.#text.slice(offset, offset + 4)) && line.column === 0) return
    while (this.#text.charAt(offset) === '-' && /^(?:\s|$)/.test(this.#text.slice(offset + 1, offset + 2))) {
      this.#item(offset, line.column + offset - line.content)
      offset += /^-[ \t]*/.exec(this.#text.slice(offset, line.end))?.[0].length ?? 1
    }
    const rest = this.#text.slice(offset, line.end)
    if (rest.trim() === '' || rest.startsWith('#')) return
    const column = line.column + offset - line.content
    const key = KEY.exec(rest.slice(0, languageLimits.keyCharacters))
    if (key !== null) this.#key(offset, column, key, line)
    else if (this.#isParent(rest, column))
      this.#push(this.#child(rest.trim(), offset, column, offset + rest.trim().length))
    else this.#bare(offset, column, line)
  }

  #item(offset: number, column: number): void {
    if (this.#open.length > languageLimits.depth) return
    while ((this.#open.at(-1)?.column ?? -1) > column) this.#open.pop()
    const top = this.#open.at(-1)
    const again = top !== undefined && top.column === column && top.key === undefined
    if (again) this.#open.pop()
    const number = again ? Number(top.path.at(-1)) + 1 : 0
    const above: Path = again ? top.path.slice(0, -1) : (top?.path ?? [])
    if (top !== undefined && !again) top.form = 'block'
    this.#push(entryAt([...above, number], offset, column, offset + 1))
  }

  #key(offset: number, column: number, key: RegExpExecArray, line: Line): void {
    const name = key[1] ?? key[2] ?? key[3]?.trim() ?? ''
    const colon = offset + key[0].length
    const written = key[0].slice(0, -1).trimEnd().length
    const entry = this.#child(name, offset, column, offset + written)
    this.#push(entry)
    const gap = /^[ \t]*/.exec(this.#text.slice(colon, line.end))?.[0].length ?? 0
    entry.value = { start: Math.min(colon + gap, line.end), end: Math.min(colon + gap, line.end) }
    this.#value(entry, colon + gap, line)
  }

  #child(name: string, offset: number, column: number, end: number): BlockEntry {
    while ((this.#open.at(-1)?.column ?? -1) >= column) this.#open.pop()
    const top = this.#open.at(-1)
    if (top !== undefined && top.form !== 'scalar') top.form = 'block'
    return { ...entryAt([...(top?.path ?? []), name], offset, column, end), key: { start: offset, end } }
  }

  #push(entry: BlockEntry): void {
    if (this.#open.length > languageLimits.depth) return
    this.entries.push(entry)
    this.#open.push(entry)
  }

  /** Reads a line that is neither an item nor a key: a value, its continuation or an incomplete key. */
  #bare(offset: number, column: number, line: Line): void {
    const top = this.#open.at(-1)
    if (top === undefined || top.column >= column) return
    if (top.form === 'empty') this.#value(top, offset, line)
    else if (top.form === 'scalar') top.value = { start: top.value.start, end: endOfContent(this.#text, line) }
  }

  /** True for a single word above more deeply indented lines, which is a key that lacks a colon. */
  #isParent(rest: string, column: number): boolean {
    if (!/^[\w$-]+\s*$/.test(rest)) return false
    let index = this.#next
    while ((this.#lines[index]?.column ?? 0) < 0) index++
    const next = this.#lines[index]
    if (next === undefined) return false
    const dash = this.#text.startsWith('- ', next.start + next.column)
    return next.column > column || (next.column === column && dash)
  }

  #value(entry: BlockEntry, start: number, line: Line): void {
    const first = this.#text.charAt(start)
    if (start >= line.end || first === '#' || first === '') return
    // A value is indented more than its key or dash.
    const limit = this.#limit(entry.column, first)
    if (first === '|' || first === '>') this.#set(entry, start, limit, 'literal')
    else if (first === '[' || first === '{') {
      entry.form = 'flow'
      const end = scanFlow(this.#text, start, limit, entry.path, (child) => this.add(child))
      this.#set(entry, start, end, 'flow')
    } else if (first === '"' || first === "'") {
      const end = quotedEnd(this.#text, start, limit) ?? endOfContent(this.#text, line)
      this.#set(entry, start, end, 'scalar')
    } else this.#set(entry, start, plainEnd(this.#text, start, line.end), 'scalar')
  }

  #set(entry: Entry, start: number, end: number, form: Entry['form']): void {
    entry.value = { start, end }
    entry.form = form
    if (form === 'scalar') entry.text = unquote(this.#text.slice(start, end))
    if (form === 'literal') entry.text = blockText(this.#text.slice(start, end))
    while ((this.#lines[this.#next]?.start ?? end) < end) this.#next++
  }

  /** Returns the start of the first line that cannot belong to a value at this column. */
  #limit(column: number, first: string): number {
    const closes = first === '[' || first === '{'
    for (let index = this.#next; index < this.#lines.length; index++) {
      const line = this.#lines[index]
      if (line === undefined) break
      const at = indentOf(this.#text.slice(line.start, line.content))
      if (line.content === line.end || at > column) continue
      if (closes && /[\]}]/.test(this.#text.charAt(line.content))) return line.end
      return first === '|' || first === '>' ? line.start - 1 : line.start
    }
    return this.#text.length
  }
}

function entryAt(path: Path, start: number, column: number, end: number): BlockEntry {
  return { path, start, column, value: { start: end, end }, form: 'empty' }
}

function plainEnd(text: string, start: number, end: number): number {
  const line = text.slice(start, end)
  const comment = line.search(/[ \t]#/)
  return start + (comment < 0 ? line : line.slice(0, comment)).trimEnd().length
}

function endOfContent(text: string, { start, end }: Line): number {
  return start + text.slice(start, end).trimEnd().length
}

function blockText(written: string): string {
  const [, ...lines] = written.split(/\r?\n/)
  const margin = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0].length ?? 0
  return lines.map((line) => line.slice(margin)).join('\n')
}

function linesOf(text: string): Line[] {
  const lines: Line[] = []
  for (let start = text.startsWith('\ufeff') ? 1 : 0; start <= text.length; ) {
    const feed = text.indexOf('\n', start)
    const stop = feed < 0 ? text.length : feed
    const end = text.charAt(stop - 1) === '\r' && stop > start ? stop - 1 : stop
    const indent = /^[ \t]*/.exec(text.slice(start, end))?.[0] ?? ''
    const content = start + indent.length
    const isBlank = content === end || text.charAt(content) === '#'
    lines.push({ start, end, content, column: isBlank ? -1 : indentOf(indent) })
    start = stop + 1
  }
  return lines
}
