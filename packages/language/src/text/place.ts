/** The cursor position in a document: the key or value being typed. */
import { columnOf, lineStart, type Path, type Span } from '@joust/source'
import { contains, documentEnd, type Entry, indentOf, startsWith } from './entry.ts'
import type { Reading } from './reading.ts'

export interface CursorPlace {
  /** `key`: at a key or a scalar item; `value`: after a key; `nothing`: in a comment or after the document end. */
  readonly kind: 'key' | 'value' | 'nothing'
  /** For a key, the path of its mapping; for a value, the path of that value. */
  readonly path: Path
  /** The range of the existing word or value; may be empty. */
  readonly range: Span
}

export function placeAt(reading: Reading, offset: number): CursorPlace {
  const place = placeInText(reading, offset)
  return isComment(reading, offset) || offset > documentEnd(reading.text) ? { ...place, kind: 'nothing' } : place
}

function placeInText(reading: Reading, offset: number): CursorPlace {
  const { text, entries } = reading
  const flow = innermost(entries, (entry) => isInFlow(entry, text, offset))
  if (flow !== undefined) return placeInFlow(flow, reading, offset)
  const scalar = innermost(entries, (entry) => isInScalar(entry, text, offset))
  if (scalar !== undefined)
    return { kind: mayBecomeKey(scalar, text) ? 'key' : 'value', path: scalar.path, range: scalar.value }

  const line = lineStart(text, offset)
  // Ignore the content of a flow collection that ends before the cursor.
  const closed = entries.filter(({ form, value }) => form === 'flow' && value.end > line && value.end <= offset)
  const last = entries.findLast(
    ({ start }) =>
      start >= line && start <= offset && !closed.some(({ value }) => value.start < start && start < value.end),
  )
  if (last?.key !== undefined) {
    if (!text.slice(last.key.end, offset).includes(':'))
      return { kind: 'key', path: last.path.slice(0, -1), range: last.key }
    const kind = last.form === 'flow' ? 'nothing' : 'value'
    return { kind, path: last.path, range: rangeOf(last, offset) }
  }
  const word = wordAround(text, offset)
  // A word next to other words is neither a key nor a value.
  const isAlone =
    /^\s*(?:-\s+)*$/.test(text.slice(line, word.start)) && /^[ \t]*(?:[:#\r\n]|$)/.test(text.slice(word.end))
  const kind = isAlone ? 'key' : 'nothing'
  if (last !== undefined && offset > last.start) return { kind, path: last.path, range: word }
  const column = indentOf(/^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '')
  return { kind, path: mappingAbove(entries, line, column), range: word }
}

/** True after a `#` that is not part of a scalar. */
function isComment({ text, entries }: Reading, offset: number): boolean {
  for (let from = lineStart(text, offset); ; ) {
    const hash = text.slice(from, offset).search(/(?<!\S)#/)
    if (hash < 0) return false
    const at = from + hash
    const around = entries.find(
      ({ form, value }) => (form === 'scalar' || form === 'literal') && value.start < at && at < value.end,
    )
    if (around === undefined) return true
    from = around.value.end
  }
}

/** Returns the range of a value. A missing value starts at the cursor. */
function rangeOf({ value, form }: Entry, offset: number): Span {
  return form === 'scalar' || form === 'literal' || form === 'flow' ? value : { start: offset, end: offset }
}

function innermost(entries: readonly Entry[], matches: (entry: Entry) => boolean): Entry | undefined {
  return entries
    .filter(matches)
    .toSorted((a, b) => a.path.length - b.path.length)
    .at(-1)
}

function isInFlow({ form, value }: Entry, text: string, offset: number): boolean {
  if (form !== 'flow' || offset <= value.start) return false
  const closed = /[\]}]/.test(text.charAt(value.end - 1)) && value.end > value.start + 1
  return closed ? offset < value.end : offset <= value.end
}

/** True inside a scalar, which may span lines, including blank lines at the end of a block scalar. */
function isInScalar({ form, value, column }: Entry, text: string, offset: number): boolean {
  if (form !== 'scalar' && form !== 'literal') return false
  if (offset < value.start) return false
  if (offset <= value.end) return form === 'literal' || offset > value.start
  if (form !== 'literal') return false
  const between = text.slice(value.end, offset)
  return between.trim() === '' && (!between.includes('\n') || columnOf(text, offset) > (column ?? 0))
}

/** True for a single word on a line or after a dash, which becomes a key once a colon is typed. */
function mayBecomeKey({ form, key, value }: Entry, text: string): boolean {
  if (form !== 'scalar' || !/^[\w$.-]+$/.test(text.slice(value.start, value.end))) return false
  return key === undefined || text.slice(key.end, value.start).includes('\n')
}

function placeInFlow(flow: Entry, { text, entries }: Reading, offset: number): CursorPlace {
  const children = entries.filter(
    ({ path, value }) =>
      path.length === flow.path.length + 1 && startsWith(path, flow.path) && value.start > flow.value.start,
  )
  const word = wordAround(text, offset)
  if (text.charAt(flow.value.start) === '[') {
    const at = children.find(({ value }) => contains(value, offset))
    const before = children.filter(({ value }) => value.end < offset).length
    return { kind: 'value', path: at?.path ?? [...flow.path, before], range: at?.value ?? word }
  }
  const last = children.findLast(({ start }) => start <= offset)
  if (last?.key === undefined || afterComma(last, text, offset)) return { kind: 'key', path: flow.path, range: word }
  if (!text.slice(last.key.end, offset).includes(':')) return { kind: 'key', path: flow.path, range: last.key }
  return { kind: 'value', path: last.path, range: rangeOf(last, offset) }
}

function afterComma({ value, key }: Entry, text: string, offset: number): boolean {
  return text.slice(Math.max(value.end, key?.end ?? 0), offset).includes(',')
}

function mappingAbove(entries: readonly Entry[], line: number, column: number): Path {
  const above = entries.findLast((entry) => entry.start < line && (entry.column ?? column) < column)
  if (above === undefined) return []
  // A scalar has no children, so the line is a sibling.
  return above.form === 'scalar' ? above.path.slice(0, -1) : above.path
}

function wordAround(text: string, offset: number): Span {
  const [before = '', quote] =
    /(?:(?<![^\s[{,])(["']))?[\w.$/*-]*$/.exec(text.slice(Math.max(0, offset - 200), offset)) ?? []
  const after = /^[\w.$/*-]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0
  const closed = quote !== undefined && text.charAt(offset + after) === quote
  return { start: offset - before.length, end: offset + after + (closed ? 1 : 0) }
}
