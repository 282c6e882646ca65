/** Collects the decoded strings in a request. */
import { isList, isRecord, parseJson, type Value } from '@joust/source'
import { modelLimits } from '../model/limits.ts'

/** A string and its location. */
export interface PlacedString {
  /**
   * The path of the string, for example `messages[2].content`; `<json>` stands for JSON that was parsed from a string.
   */
  readonly path: string
  readonly text: string
}

/** The strings in a request; `isCut` is true if they exceeded the character limit. */
interface RequestStrings {
  readonly strings: readonly PlacedString[]
  readonly isCut: boolean
}

/** Collects all strings, including property names and strings in nested JSON. Iterative, to support any depth. */
export function stringsOf(request: Value): RequestStrings {
  const strings: PlacedString[] = []
  const pending: { readonly value: Value; readonly path: string; readonly opened: number }[] = []
  let room: number = modelLimits.searchedCharacters
  const add = (path: string, text: string) => {
    room -= text.length
    if (room >= 0) strings.push({ path, text })
  }
  pending.push({ value: request, path: '', opened: 0 })
  for (let next = pending.pop(); next !== undefined && room >= 0; next = pending.pop()) {
    const { value, path, opened } = next
    if (typeof value === 'string') {
      add(path, value)
      const inner = opened < modelLimits.jsonInStrings ? jsonIn(value) : undefined
      if (inner !== undefined) pending.push({ value: inner, path: `${path}<json>`, opened: opened + 1 })
    } else if (isList(value)) {
      for (let index = value.length - 1; index >= 0; index--)
        pending.push({ value: value[index] ?? null, path: `${path}[${index}]`, opened })
    } else if (isRecord(value)) {
      for (const [key, field] of Object.entries(value).reverse()) {
        add(`${path}<name>`, key)
        pending.push({ value: field, path: path === '' ? key : `${path}.${key}`, opened })
      }
    }
  }
  return { strings, isCut: room < 0 }
}

/** Parses a string that contains a JSON object, list or string. Numbers stay strings. */
function jsonIn(text: string): Value | undefined {
  if (!/^\s*[[{"]/.test(text)) return undefined
  const value = parseJson(text)
  return typeof value === 'object' || typeof value === 'string' ? (value ?? undefined) : undefined
}
