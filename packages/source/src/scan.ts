/** Small looks at YAML text between two events. All stop at the first character that is not white space or a comment. */

const TAB = 9
const LINE_FEED = 10
const CARRIAGE_RETURN = 13
const SPACE = 32
const HASH = 35

/** The offset after an indicator that comes next in the text, or undefined when something else does. */
export function afterIndicator(text: string, from: number, indicator: string): number | undefined {
  let offset = from
  for (;;) {
    const unit = text.charCodeAt(offset)
    if (unit === HASH) offset = lineEnd(text, offset)
    else if (unit === SPACE || unit === TAB || isBreak(unit)) offset++
    else return text.startsWith(indicator, offset) ? offset + indicator.length : undefined
  }
}

/** Where the `|` or `>` of a block scalar stands whose content starts at `content`; everything before `from` was read. */
export function blockScalarStart(text: string, from: number, content: number): number {
  let start = content
  for (let offset = headerEnd(text, content) - 1; offset >= from && !isBreak(text.charCodeAt(offset)); offset--) {
    const character = text.charAt(offset)
    // The leftmost one counts: those after it stand in the header's comment.
    if (character === '|' || character === '>') start = offset
  }
  return start
}

/** The end of the line that an offset stands on, without its line break. */
export function lineEnd(text: string, from: number): number {
  let offset = from
  while (offset < text.length && !isBreak(text.charCodeAt(offset))) offset++
  return offset
}

function headerEnd(text: string, content: number): number {
  if (text.charCodeAt(content - 1) === LINE_FEED) {
    return text.charCodeAt(content - 2) === CARRIAGE_RETURN ? content - 2 : content - 1
  }
  return text.charCodeAt(content - 1) === CARRIAGE_RETURN ? content - 1 : content
}

function isBreak(unit: number): boolean {
  return unit === LINE_FEED || unit === CARRIAGE_RETURN
}
