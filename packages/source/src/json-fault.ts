/** What is wrong with a JSON text, and at which offset. */
interface JsonFault {
  readonly message: string
  readonly offset: number
}

/**
 * The first place where a text stops being JSON (RFC 8259) or has a number beyond the range of a double. Engines say
 * where in words that change from version to version, so the text is read once more after they have refused it.
 * Iterative, so that depth cannot exhaust the stack.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  /** The closing characters of the open collections. */
  const open: (']' | '}')[] = []
  let due: 'value' | 'key' | 'separator' = 'value'
  let justOpened = false
  for (let offset = skipSpace(text, 0); ; offset = skipSpace(text, offset)) {
    const character = text.charAt(offset)
    const close = open.at(-1)
    if (close === undefined && due === 'separator') {
      return character === '' ? undefined : { message: 'the text goes on after its value', offset }
    }
    if (character === close && (due === 'separator' || justOpened)) {
      open.pop()
      due = 'separator'
      offset++
    } else if (due === 'separator') {
      if (character !== ',') return { message: `expected "," or "${close}"`, offset }
      due = close === '}' ? 'key' : 'value'
      offset++
    } else if (due === 'value' && (character === '[' || character === '{')) {
      open.push(character === '[' ? ']' : '}')
      due = character === '[' ? 'value' : 'key'
      justOpened = true
      offset++
      continue
    } else {
      const end = due === 'key' ? keyEnd(text, offset) : scalarEnd(text, offset)
      if (typeof end !== 'number') return end
      due = due === 'key' ? 'value' : 'separator'
      offset = end
    }
    justOpened = false
  }
}

/** The offset after a key and its colon. */
function keyEnd(text: string, start: number): number | JsonFault {
  if (text.charAt(start) !== '"') return { message: 'expected a key in double quotes', offset: start }
  const end = stringEnd(text, start)
  if (typeof end !== 'number') return end
  const colon = skipSpace(text, end)
  return text.charAt(colon) === ':' ? colon + 1 : { message: 'expected ":"', offset: colon }
}

function scalarEnd(text: string, start: number): number | JsonFault {
  if (text.charAt(start) === '"') return stringEnd(text, start)
  const word = matchEnd(/true|false|null/y, text, start)
  if (word > start) return word
  const numeral = matchEnd(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y, text, start)
  if (numeral === start) return { message: 'expected a value', offset: start }
  if (!Number.isFinite(Number(text.slice(start, numeral))))
    return { message: 'a number is out of range', offset: start }
  return numeral
}

function stringEnd(text: string, start: number): number | JsonFault {
  for (let offset = start + 1; offset < text.length; offset++) {
    const unit = text.charCodeAt(offset)
    if (unit === 0x22) return offset + 1
    if (unit < 0x20) return { message: 'a control character must be escaped', offset }
    if (unit !== 0x5c) continue
    const end = matchEnd(/["\\/bfnrt]|u[0-9a-fA-F]{4}/y, text, offset + 1)
    if (end === offset + 1) return { message: 'no such escape', offset }
    offset = end - 1
  }
  return { message: 'this string does not end', offset: start }
}

function skipSpace(text: string, from: number): number {
  return matchEnd(/[ \t\r\n]+/y, text, from)
}

/** Where a match that starts at an offset ends: at the offset itself when there is none. */
function matchEnd(sticky: RegExp, text: string, from: number): number {
  sticky.lastIndex = from
  return sticky.test(text) ? sticky.lastIndex : from
}
