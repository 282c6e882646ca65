import { err, ok, type Result } from '../model/result.ts'
import { setOwn, type Value } from '../model/value.ts'
import { matchEnd } from '../text/find-text.ts'
import { exactInteger } from './exact-integer.ts'

export interface JsonError {
  readonly message: string
  readonly offset: number
}

/** A collection that is being parsed. A record has the key of its next value. */
type Open =
  | { readonly close: ']'; readonly value: Value[] }
  | { readonly close: '}'; readonly value: { [key: string]: Value }; key: string }

interface Read<T> {
  readonly value: T
  readonly end: number
}

/**
 * Parses JSON (RFC 8259) where `JSON.parse` is not enough: it reports the offset of a syntax error, rejects numbers
 * beyond the range of a double, and keeps large integers exact. Iterative, so that depth cannot exhaust the stack.
 */
export function scanJson(text: string): Result<Value, JsonError> {
  const open: Open[] = []
  let root: Value = null
  let due: 'value' | 'key' | 'separator' = 'value'
  let justOpened = false
  const put = (value: Value): void => {
    const into = open.at(-1)
    if (into === undefined) root = value
    else if (into.close === ']') into.value.push(value)
    else setOwn(into.value, into.key, value)
  }
  for (let offset = skipSpace(text, 0); ; offset = skipSpace(text, offset)) {
    const character = text.charAt(offset)
    const inside = open.at(-1)
    if (inside === undefined && due === 'separator')
      return character === '' ? ok(root) : err({ message: 'unexpected text after the value', offset })
    if (character === inside?.close && (due === 'separator' || justOpened)) {
      open.pop()
      due = 'separator'
      offset++
    } else if (due === 'separator') {
      if (character !== ',') return err({ message: `expected "," or "${inside?.close}"`, offset })
      due = inside?.close === '}' ? 'key' : 'value'
      offset++
    } else if (due === 'value' && (character === '[' || character === '{')) {
      const opened: Open = character === '[' ? { close: ']', value: [] } : { close: '}', value: {}, key: '' }
      put(opened.value)
      open.push(opened)
      due = character === '[' ? 'value' : 'key'
      justOpened = true
      offset++
      continue
    } else {
      const read = inside?.close === '}' && due === 'key' ? readKey(text, offset, inside) : readScalar(text, offset)
      if ('message' in read) return err(read)
      if (due === 'value') put(read.value)
      due = due === 'key' ? 'value' : 'separator'
      offset = read.end
    }
    justOpened = false
  }
}

function readKey(text: string, start: number, into: { key: string }): Read<string> | JsonError {
  if (text.charAt(start) !== '"') return { message: 'expected a key in double quotes', offset: start }
  const key = readString(text, start)
  if ('message' in key) return key
  const colon = skipSpace(text, key.end)
  if (text.charAt(colon) !== ':') return { message: 'expected ":"', offset: colon }
  into.key = key.value
  return { value: key.value, end: colon + 1 }
}

const WORD = /true|false|null/y
const NUMERAL = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y

function readScalar(text: string, start: number): Read<Value> | JsonError {
  if (text.charAt(start) === '"') return readString(text, start)
  const word = matchEnd(WORD, text, start)
  if (word > start) return { value: JSON.parse(text.slice(start, word)), end: word }
  const end = matchEnd(NUMERAL, text, start)
  if (end === start) return { message: 'expected a value', offset: start }
  const numeral = text.slice(start, end)
  const number = Number(numeral)
  if (!Number.isFinite(number)) return { message: 'number out of range', offset: start }
  return { value: exactInteger(numeral, number), end }
}

const PLAIN = /[ !#-[\]-\uffff]+/y
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y

function readString(text: string, start: number): Read<string> | JsonError {
  let escaped = false
  for (let offset = matchEnd(PLAIN, text, start + 1); offset < text.length; offset = matchEnd(PLAIN, text, offset)) {
    const character = text.charAt(offset)
    if (character === '"') {
      const end = offset + 1
      return { value: escaped ? JSON.parse(text.slice(start, end)) : text.slice(start + 1, offset), end }
    }
    if (character !== '\\') return { message: 'unescaped control character', offset }
    const end = matchEnd(ESCAPE, text, offset)
    if (end === offset) return { message: 'invalid escape sequence', offset }
    escaped = true
    offset = end
  }
  return { message: 'unterminated string', offset: start }
}

const SPACE = /[ \t\r\n]+/y

function skipSpace(text: string, from: number): number {
  return matchEnd(SPACE, text, from)
}
