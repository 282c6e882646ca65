/** A few words that distinguish a message from others of the same operation. */
import { cut, isNumeric, type Value } from '@joust/source'

const LONGEST = 72

/** What a message is about: the name, address or error in it, or the text that it carries. */
export function labelOf(content: Value): string {
  if (typeof content === 'string') return shortened(content)
  if (Array.isArray(content)) return `list of ${content.length}`
  if (typeof content !== 'object' || content === null) return String(content)
  const code = text(content, 'code')
  if (code !== undefined && 'message' in content) return shortened(`error ${code} ${text(content, 'message') ?? ''}`)
  const said = lastMessage(content)
  if (said !== undefined) return shortened(said)
  const named = firstOf(content, ['name', 'uri', 'toolCallName'])
  return shortened(named ?? inner(content) ?? firstOf(content, ['type', 'kind', 'method']) ?? '')
}

function firstOf(content: object, keys: readonly string[]): string | undefined {
  return keys.map((key) => text(content, key)).find((found) => found !== undefined)
}

/** What was said last in a conversation. */
function lastMessage(content: object): string | undefined {
  const messages: unknown = Object.hasOwn(content, 'messages') ? Reflect.get(content, 'messages') : undefined
  const last: unknown = Array.isArray(messages) ? messages.at(-1) : undefined
  return typeof last === 'object' && last !== null ? text(last, 'content') : undefined
}

/** The text one step further in, where protocols put it. */
function inner(content: object): string | undefined {
  for (const key of [
    'content',
    'message',
    'tools',
    'resources',
    'prompts',
    'parts',
    'artifacts',
    'status',
    'serverInfo',
  ]) {
    const value: unknown = Object.hasOwn(content, key) ? Reflect.get(content, key) : undefined
    if (typeof value === 'string') return value
    const found = (Array.isArray(value) ? value : [value]).slice(0, 4).flatMap((element) => {
      if (typeof element !== 'object' || element === null) return []
      return text(element, 'name') ?? text(element, 'text') ?? text(element, 'state') ?? partsOf(element)
    })
    if (found.length > 0) return found.join(', ')
  }
  return undefined
}

function partsOf(element: object): string | string[] {
  const parts: unknown = Reflect.get(element, 'parts')
  const first: unknown = Array.isArray(parts) ? parts[0] : undefined
  return (typeof first === 'object' && first !== null ? text(first, 'text') : undefined) ?? []
}

function text(value: object, key: string): string | undefined {
  const found: unknown = Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined
  return typeof found === 'string' ? found : isNumeric(found) ? String(found) : undefined
}

function shortened(words: string): string {
  const line = words
    .slice(0, 4 * LONGEST)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(line, LONGEST)
}
