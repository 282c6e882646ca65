/** Fields of records in a text: JSON, also without quotes, broken, or escaped within other JSON. */
import { isSecretName } from '../terminal/credentials.ts'

/** A value in a text, and the name of its field. */
interface Field {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** A name in quotes, or one without after a brace or comma, and the colon. */
const NAME = /(?:(\\{0,15}["'])([^"'{}:,]{1,80}?)\1|(?<=[{,]\s*)([A-Za-z_$][\w.$-]*))\s*:\s*/g

/** The fields of records that have the name of a secret; what is within one of them is part of it. */
export function findFields(text: string): readonly Field[] {
  const fields: Field[] = []
  const names = new RegExp(NAME)
  for (let match = names.exec(text); match !== null; match = names.exec(text)) {
    const [, , quoted, bare] = match
    const name = (quoted ?? bare ?? '').replaceAll(/\\+u([\da-f]{4})/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    )
    if (!isSecretName(name)) continue
    const start = names.lastIndex
    const end = endOfValue(text, start)
    fields.push({ name, start, end })
    names.lastIndex = end
  }
  return fields
}

const BARE = /(?:\$?\{[\w.-]+\}|[^\s,}\]"'\\])*/y
const QUOTE = /\\{0,15}["']/y

/** The end of the value that begins here; one that is not closed goes on to the end of the text. */
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

/** A string is closed by its quote; with other backslashes before it, that quote is part of the string. */
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
