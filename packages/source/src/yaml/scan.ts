/** Scans YAML text between two events, where only white space and comments are skipped. */

const TAB = 9
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const HASH = 35

/** Returns the offset after an indicator; undefined if the indicator is not the next token. */
export function afterIndicator(text: string, from: number, indicator: string): number | undefined {
  let offset = from
  for (;;) {
    const unit = text.charCodeAt(offset)
    if (unit === HASH) offset = lineEnd(text, offset)
    else if (unit === SPACE || unit === TAB || isBreak(unit)) offset++
    else return text.startsWith(indicator, offset) ? offset + indicator.length : undefined
  }
}

/** Returns the offset of the `|` or `>` before block scalar content at `content`. The previous token ends at `from`. */
export function blockScalarStart(text: string, from: number, content: number): number {
  let start = content
  for (let offset = beforeBreak(text, content) - 1; offset >= from && !isBreak(text.charCodeAt(offset)); offset--) {
    const character = text.charAt(offset)
    // The leftmost of these characters is the indicator. Any others are in the header's comment.
    if (character === '|' || character === '>') start = offset
  }
  return start
}

/** Returns the end of a block scalar's content, without the last line break. `keep` includes trailing blank lines. */
export function contentEnd(text: string, header: number, end: number, keep: boolean): number {
  if (keep) return Math.max(beforeBreak(text, end), header)
  let offset = end
  while (offset > header && /\s/.test(text.charAt(offset - 1))) offset--
  return Math.max(lineEnd(text, offset), header)
}

/** Returns the start of the line at an offset. A byte order mark belongs to no line. */
export function lineStart(text: string, from: number): number {
  let offset = from
  while (offset > 0 && !isBreak(text.charCodeAt(offset - 1))) offset--
  return offset === 0 && text.startsWith('\ufeff') ? 1 : offset
}

/** Returns the column of an offset, from 0. */
export function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset)
}

export function nextLine(text: string, from: number): number {
  const end = lineEnd(text, from)
  return end + (text.startsWith('\r\n', end) ? 2 : end < text.length ? 1 : 0)
}

/** Returns the end of the line at an offset, without its line break. */
export function lineEnd(text: string, from: number): number {
  let offset = from
  while (offset < text.length && !isBreak(text.charCodeAt(offset))) offset++
  return offset
}

export function commentAt(text: string, offset: number): string {
  return text.slice(offset, lineEnd(text, offset)).trimEnd()
}

function beforeBreak(text: string, offset: number): number {
  const end = text.charCodeAt(offset - 1) === LINE_FEED ? offset - 1 : offset
  return text.charCodeAt(end - 1) === CARRIAGE_RETURN ? end - 1 : end
}

function isBreak(unit: number): boolean {
  return unit === LINE_FEED || unit === CARRIAGE_RETURN
}
