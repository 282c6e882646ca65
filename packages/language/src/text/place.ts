/** Where a cursor is in a document: what is being typed there, and what belongs there. */
import { columnOf, lineStart, type Path, type Span } from '@joust/source'
import { contains, documentEnd, type Entry, indentOf, startsWith } from './entry.ts'
import type { Reading } from './reading.ts'

/** Where a cursor is. */
export interface CursorPlace {
  /**
   * `key`: in a mapping, where a key belongs (or a scalar, if it is an item); `value`: after a key; `nothing`: where
   * neither would mean anything: in a comment, after the end of the document.
   */
  readonly kind: 'key' | 'value' | 'nothing'
  /** For a key, the mapping that it is in; for a value, the value itself. */
  readonly path: Path
  /** What is there already: a word, a whole value, or nothing. */
  readonly range: Span
}

/** The place of an offset. */
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
  // The content of a flow collection that ends before the cursor does not count.
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
  // A word beside other words is neither a key nor a value.
  const isAlone =
    /^\s*(?:-\s+)*$/.test(text.slice(line, word.start)) && /^[ \t]*(?:[:#\r\n]|$)/.test(text.slice(word.end))
  const kind = isAlone ? 'key' : 'nothing'
  if (last !== undefined && offset > last.start) return { kind, path: last.path, range: word }
  return {
    kind,
    path: mappingAbove(entries, line, indentOf(/^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '')),
    range: word,
  }
}

/** After a `#` that is not part of a text. */
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

/** A value that is still to come begins at the cursor. */
function rangeOf({ value, form }: Entry, offset: number): Span {
  return form === 'scalar' || form === 'literal' || form === 'flow' ? value : { start: offset, end: offset }
}

function innermost(entries: readonly Entry[], fits: (entry: Entry) => boolean): Entry | undefined {
  return entries
    .filter(fits)
    .toSorted((a, b) => a.path.length - b.path.length)
    .at(-1)
}

function isInFlow({ form, value }: Entry, text: string, offset: number): boolean {
  if (form !== 'flow' || offset <= value.start) return false
  const closed = /[\]}]/.test(text.charAt(value.end - 1)) && value.end > value.start + 1
  return closed ? offset < value.end : offset <= value.end
}

/** Whether an offset is in a scalar, which may span lines; blank lines at the end of a block scalar count. */
function isInScalar({ form, value, column }: Entry, text: string, offset: number): boolean {
  if (form !== 'scalar' && form !== 'literal') return false
  if (offset < value.start) return false
  if (offset <= value.end) return form === 'literal' || offset > value.start
  if (form !== 'literal') return false
  const between = text.slice(value.end, offset)
  return between.trim() === '' && (!between.includes('\n') || columnOf(text, offset) > (column ?? 0))
}

/** A word alone on a line, or after a dash, is a scalar until its colon is typed. */
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

/** What a line in a column belongs to: the nearest entry above that is further to the left. */
function mappingAbove(entries: readonly Entry[], line: number, column: number): Path {
  const above = entries.findLast((entry) => entry.start < line && (entry.column ?? column) < column)
  if (above === undefined) return []
  // Nothing can be below a scalar, so what is typed there is beside it.
  return above.form === 'scalar' ? above.path.slice(0, -1) : above.path
}

/** The word around an offset, for a place that has no entry; its opening quote belongs to it. */
function wordAround(text: string, offset: number): Span {
  const [before = '', quote] =
    /(?:(?<![^\s[{,])(["']))?[\w.$/*-]*$/.exec(text.slice(Math.max(0, offset - 200), offset)) ?? []
  const after = /^[\w.$/*-]*/.exec(text.slice(offset, offset + 200))?.[0].length ?? 0
  const closed = quote !== undefined && text.charAt(offset + after) === quote
  return { start: offset - before.length, end: offset + after + (closed ? 1 : 0) }
}
