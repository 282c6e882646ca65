import { cut, isList, isNumeric, own, type Value } from '@joust/source'

const LONGEST = 72

/** Returns a label that distinguishes messages of the same operation: a name, URI, error or text. */
export function labelOf(content: Value): string {
  if (typeof content === 'string') return shortened(content)
  if (Array.isArray(content)) return `list of ${content.length}`
  if (typeof content !== 'object' || content === null) return String(content)
  const code = text(content, 'code')
  if (code !== undefined && 'message' in content) return shortened(`error ${code} ${text(content, 'message') ?? ''}`)
  const message = lastMessage(content)
  if (message !== undefined) return shortened(message)
  const name = firstOf(content, ['name', 'uri', 'toolCallName'])
  return shortened(name ?? inner(content) ?? firstOf(content, ['type', 'kind', 'method']) ?? '')
}

function firstOf(content: Value | undefined, keys: readonly string[]): string | undefined {
  return keys.map((key) => text(content, key)).find((value) => value !== undefined)
}

function lastMessage(content: Value | undefined): string | undefined {
  const messages = own(content, 'messages')
  return isList(messages) ? text(messages.at(-1), 'content') : undefined
}

/** Returns the text in the nested field in which protocols put it. */
function inner(content: Value | undefined): string | undefined {
  for (const key of INNER) {
    const value = own(content, key)
    if (typeof value === 'string') return value
    const texts = (isList(value) ? value : [value])
      .slice(0, 4)
      .flatMap((element) => firstOf(element, ['name', 'text', 'state']) ?? partsOf(element))
    if (texts.length > 0) return texts.join(', ')
  }
  return undefined
}

const INNER = ['content', 'message', 'tools', 'resources', 'prompts', 'parts', 'artifacts', 'status', 'serverInfo']

function partsOf(element: Value | undefined): string | string[] {
  const parts = own(element, 'parts')
  return (isList(parts) ? text(parts[0], 'text') : undefined) ?? []
}

function text(value: Value | undefined, key: string): string | undefined {
  const field = own(value, key)
  return typeof field === 'string' ? field : isNumeric(field) ? String(field) : undefined
}

function shortened(words: string): string {
  const line = words
    .slice(0, 4 * LONGEST)
    .replaceAll(/\s+/g, ' ')
    .trim()
  return cut(line, LONGEST)
}
