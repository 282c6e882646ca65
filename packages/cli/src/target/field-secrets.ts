/** Finds fields of records in text: JSON, including unquoted, malformed and escaped JSON. */
import { isSecretName } from '@joust/source'

interface Field {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Matches a quoted name, or an unquoted name after a brace or comma, including the colon. */
const NAME = /(?:(\\{0,15}["'])([^"'{}:,]{1,80}?)\1|(?<=[{,]\s*)([A-Za-z_$][\w.$-]*))\s*:\s*/g

/** Returns the outermost fields whose names indicate secrets. */
export function findFields(text: string): readonly Field[] {
  const fields: Field[] = []
  const pairs = createPairs(text)
  const names = new RegExp(NAME)
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const [, , quoted, bare] = match
    const name = (quoted ?? bare ?? '').replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    const start = names.lastIndex
    const isPart = /^(?:name|key|header|value)$/i.test(name)
    const pair = isPart ? pairs.add(name, match.index, start) : undefined
    if (pair !== undefined) fields.push(pair)
    if (isSecretName(name)) fields.push({ name, start, end: endOfValue(text, start) })
    else if (pair?.start !== start) continue
    names.lastIndex = fields.at(-1)?.end ?? start
  }
  return fields
}

const TITLE = /\\{0,15}["']?([\w.$-]{1,80})/y

/** Collects values named by a sibling field: `{"name":"Authorization","value":"…"}`, in any order. */
function createPairs(text: string) {
  let before: { readonly title?: string; readonly start: number } | undefined
  const titleAt = (at: number): string => {
    TITLE.lastIndex = at
    return TITLE.exec(text)?.[1] ?? ''
  }
  return {
    /** Adds the next field, with its name at `at` and its value at `start`; returns the value of a completed pair. */
    add(name: string, at: number, start: number): Field | undefined {
      const title = name.toLowerCase() === 'value' ? undefined : titleAt(start)
      const other = before
      before = { ...(title !== undefined && { title }), start }
      if (other === undefined || (other.title === undefined) === (title === undefined)) return undefined
      const between = text.slice(other.start, at)
      const end = endOfValue(between, 0)
      const named = other.title ?? title ?? ''
      if (/[{}]/.test(between.slice(end)) || !isSecretName(named)) return undefined
      return title === undefined
        ? { name: named, start, end: endOfValue(text, start) }
        : { name: named, start: other.start, end: other.start + end }
    },
  }
}

const BARE = /(?:\$?\{[\w.-]+\}|[^\s,}\]"'\\])*/y
const QUOTE = /\\{0,15}["']/y

/** Returns the end of the value at a position; an unclosed value extends to the end of the text. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; ) {
    const letter = text.charAt(at)
    if (quoteAt(text, at) !== undefined) at = endOfString(text, at)
    else if (/[{[]/.test(letter) && !/^\{[\w.-]+\}/.test(text.slice(at, at + 80))) {
      depth += 1
      at += 1
    } else if (depth > 0) {
      if (/[}\]]/.test(letter)) depth -= 1
      at += 1
    } else {
      BARE.lastIndex = at
      return at + (BARE.exec(text)?.[0].length ?? 0)
    }
    if (depth === 0) return at
  }
  return text.length
}

function quoteAt(text: string, at: number): string | undefined {
  QUOTE.lastIndex = at
  return QUOTE.exec(text)?.[0]
}

/** Returns the end of a string. A quote preceded by a different number of backslashes is part of the string. */
function endOfString(text: string, start: number): number {
  const open = quoteAt(text, start) ?? ''
  const quote = open.slice(-1)
  for (let at = text.indexOf(quote, start + open.length); at !== -1; at = text.indexOf(quote, at + 1)) {
    let count = 0
    while (at - count > start + open.length && text.charAt(at - count - 1) === '\\') count += 1
    if (count >= open.length - 1 && (count - open.length + 1) % (2 * open.length) === 0) return at + 1
  }
  return text.length
}
