/** Extracts text from a streamed answer: plain text, or an object's only required property. */
import type { InterfaceSchema } from '@joust/agentformat'
import { own } from '@joust/source'
import { textProperty } from '../model/validate-value.ts'

/** Returns the text that a piece of the answer adds. */
type ReadText = (delta: string) => string

/**
 * Creates a reader for one answer. It reads nothing unless the output is text or an object with a single text property.
 *
 * @example
 * const read = createAnswerText({ type: 'string' })
 * console.log(read('On its '), read('way.'))
 */
export function createAnswerText(schema: InterfaceSchema): ReadText {
  if (own(schema, 'type') === 'string') return (delta) => delta
  const name = textProperty(schema)
  if (name === undefined) return () => ''
  let start = ''
  let read: ReadText | undefined
  return (delta) => {
    if (read !== undefined) return read(delta)
    start += delta
    const [first] = start.trimStart()
    if (first === undefined) return ''
    // Text that is not JSON becomes the property. JSON may be in a code block.
    read = '{[`'.includes(first) ? propertyReader(name) : (text) => text
    return read(start)
  }
}

/** Reads a top-level string property from incomplete JSON. */
function propertyReader(name: string): ReadText {
  let depth = 0
  let key = ''
  let isValue = false
  let isString = false
  let escaped = ''
  let high = ''
  const put = (part: string): string => {
    if (!isValue) key += part
    if (!isValue || depth !== 1 || key !== name) return ''
    const text = high + part
    // Half of a surrogate pair is held back until the other half arrives.
    high = /[\ud800-\udbff]$/.test(text) ? text : ''
    return high === '' ? text : ''
  }
  const inString = (char: string): string => {
    if (escaped !== '') {
      escaped += char
      if (escaped.startsWith('\\u') && escaped.length < '\\u0000'.length) return ''
      const part = decoded(escaped)
      escaped = ''
      return put(part)
    }
    if (char === '\\') escaped = char
    else if (char === '"') isString = false
    else return put(char)
    return ''
  }
  const between = (char: string): string => {
    if (char === '"') isString = true
    if (char === '"' && !isValue) key = ''
    if (char === '{' || char === '[') depth += 1
    if (char === '}' || char === ']') depth -= 1
    if (char === ':') isValue = true
    if (char === ',' || char === '{') isValue = false
    return ''
  }
  return (delta) => [...delta].map((char) => (isString ? inString(char) : between(char))).join('')
}

function decoded(escaped: string): string {
  try {
    return String(JSON.parse(`"${escaped}"`))
  } catch {
    return ''
  }
}
