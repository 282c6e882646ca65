/** Edits that insert a completion: keys get a colon, and values are quoted if necessary. */
import { columnOf, lineEnd, type TextEdit } from '@joust/source'
import type { CursorPlace } from '../text/place.ts'

/** The notation at a position. Strings need quotes in JSON, and often in flow collections. */
export type Style = 'block' | 'flow' | 'json'

/** Creates the edit for a key and, if the value has only one type, for the start of the value. */
export function keyEdit(
  text: string,
  { range }: CursorPlace,
  key: string,
  style: Style,
  types: readonly string[],
): TextEdit {
  const { start, end } = range
  const written = quotedIfNeeded(key, style)
  if (/^[ \t]*:/.test(text.slice(end, end + 20))) return { start, end, text: written }
  const indent = ' '.repeat(columnOf(text, start))
  const only = types.length === 1 ? types[0] : undefined
  if (style === 'block' && only === 'object') return { start, end, text: `${written}:\n${indent}  ` }
  if (style === 'block' && only === 'array') return { start, end, text: `${written}:\n${indent}  - ` }
  return { start, end, text: `${written}: ` }
}

export function valueEdit(text: string, { range, kind }: CursorPlace, value: string, style: Style): TextEdit {
  const { start, end } = range
  const quote = text.charAt(start)
  if (end > start && (quote === '"' || quote === "'")) {
    // An unclosed quote may extend into the next lines.
    const closed = end - start > 1 && text.charAt(end - 1) === quote
    const stop = closed ? end : Math.min(lineEnd(text, start), end)
    return { start, end: stop, text: quote === "'" ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value) }
  }
  const gap = kind === 'value' && text.charAt(start - 1) === ':' ? ' ' : ''
  return { start, end, text: `${gap}${quotedIfNeeded(value, style)}` }
}

function quotedIfNeeded(value: string, style: Style): string {
  if (style === 'json') return /^(?:true|false)$/.test(value) ? value : JSON.stringify(value)
  const plain = style === 'flow' ? /^[\w$./-]+$/ : /^[\w$./][\w$./*[\]-]*$/
  const isText = !/^(?:true|false|null|~|[-+]?[\d.]+(?:e[-+]?\d+)?)$/i.test(value)
  return plain.test(value) && (isText || value === 'true' || value === 'false') ? value : JSON.stringify(value)
}
