/** Options as they are written at a place: keys with their colon, values with the quotes that they need. */
import type { Span, TextEdit } from '@joust/source'
import type { KeyRule } from '../grammar/grammar.ts'
import { columnAt } from '../text/exact-entries.ts'
import type { Place } from '../text/place.ts'

/** What something is written in: in JSON every text has quotes, in a flow collection many have. */
export type Style = 'block' | 'flow' | 'json'

/** A key where a word stands, with what comes after it. */
export function keyEdit(text: string, { range }: Place, { name, types }: KeyRule, style: Style): TextEdit {
  const { start, end } = range
  const written = quotedIfNeeded(name, style)
  if (/^[ \t]*:/.test(text.slice(end, end + 20))) return { start, end, text: written }
  const indent = ' '.repeat(columnAt(text, start))
  const only = types.length === 1 ? types[0] : undefined
  if (style === 'block' && only === 'object') return { start, end, text: `${written}:\n${indent}  ` }
  if (style === 'block' && only === 'array') return { start, end, text: `${written}:\n${indent}  - ` }
  return { start, end, text: `${written}: ` }
}

/** A value where another one stands, or none yet. */
export function valueEdit(text: string, { range, kind }: Place, value: string, style: Style): TextEdit {
  const { start, end } = range
  const quote = text.charAt(start)
  if (end > start && (quote === '"' || quote === "'")) {
    // What does not close its quote yet may run on into the next lines.
    const closed = end - start > 1 && text.charAt(end - 1) === quote
    const stop = closed ? end : endOfLine(text, start, end)
    return { start, end: stop, text: quote === "'" ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value) }
  }
  const gap = kind === 'value' && text.charAt(start - 1) === ':' ? ' ' : ''
  return { start, end, text: `${gap}${quotedIfNeeded(value, style)}` }
}

/** A part of a value; quotes are already there, or not needed. */
export function partEdit(span: Span, value: string): TextEdit {
  return { start: span.start, end: span.end, text: value }
}

function endOfLine(text: string, start: number, end: number): number {
  const feed = text.slice(start, end).indexOf('\n')
  return feed < 0 ? end : start + feed
}

function quotedIfNeeded(value: string, style: Style): string {
  if (style === 'json') return /^(?:true|false)$/.test(value) ? value : JSON.stringify(value)
  const plain = style === 'flow' ? /^[\w$./-]+$/ : /^[\w$./][\w$./*[\]-]*$/
  const isText = !/^(?:true|false|null|~|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(value)
  return plain.test(value) && (isText || value === 'true' || value === 'false') ? value : JSON.stringify(value)
}
