/** Checks comments, bracket depth and escapes, which the CEL parser does not check. */

interface CelText {
  /** The expression with its comments blanked out, because the parser accepts only some comments. */
  readonly code: string
  readonly nesting: number
  readonly badEscape?: Escape
}

interface Escape {
  readonly offset: number
  readonly text: string
}

const ESCAPE = /^\\(?:[abfnrtv\\?"'`]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|[0-3][0-7]{2})/
const LONGEST_ESCAPE = '\\U00000000'.length

/** Scans an expression without parsing it. */
export function scanCel(source: string): CelText {
  let code = source
  let depth = 0
  let nesting = 0
  for (let offset = 0; offset < source.length; offset++) {
    const character = source.charAt(offset)
    if (character === '"' || character === "'") {
      const { end, badEscape } = skipString(source, offset)
      if (badEscape !== undefined) return { code, nesting, badEscape }
      offset = end - 1
    } else if (source.startsWith('//', offset)) {
      const end = endOfLine(source, offset)
      code = code.slice(0, offset) + ' '.repeat(end - offset) + code.slice(end)
      offset = end
    } else if ('([{'.includes(character)) nesting = Math.max(nesting, ++depth)
    else if (')]}'.includes(character)) depth--
  }
  return { code, nesting }
}

function endOfLine(source: string, offset: number): number {
  const end = source.indexOf('\n', offset)
  return end < 0 ? source.length : end
}

function skipString(source: string, start: number): { end: number; badEscape?: Escape } {
  const quote = source.charAt(start)
  const close = source.startsWith(quote.repeat(3), start) ? quote.repeat(3) : quote
  const raw = /[rR][bB]?$/.test(source.slice(Math.max(0, start - 2), start))
  let offset = start + close.length
  while (offset < source.length && !source.startsWith(close, offset)) {
    if (raw || source.charAt(offset) !== '\\') {
      offset++
      continue
    }
    const match = ESCAPE.exec(source.slice(offset, offset + LONGEST_ESCAPE))
    if (match === null) return { end: offset, badEscape: { offset, text: source.slice(offset, offset + 2) } }
    offset += match[0].length
  }
  return { end: offset + close.length }
}
