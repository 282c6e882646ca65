/** Available tools and their descriptions. */
import type { LanguageModelV4CallOptions as ModelCall } from '@ai-sdk/provider'
import { isRecord, own, type ValueRecord } from '@joust/source'
import { wordsOfName } from '../english/word-forms.ts'

export interface OfferedTool {
  readonly name: string
  /** The name in lower case, and the lower-case name without its server prefix. */
  readonly lower: string
  readonly short: string
  /** The words in the name, without the server prefix. */
  readonly words: readonly string[]
  readonly description: string
  readonly schema: ValueRecord
}

/** Tools by name, and by the first word of the name so that a text is compared with only a few tools. */
export type ToolIndex = ReadonlyMap<string, readonly OfferedTool[]>

const DEEPEST = 4

export function offeredTools({ tools = [], toolChoice }: ModelCall): OfferedTool[] {
  const forced = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  return tools.flatMap((tool) => {
    if (tool.type !== 'function' || (forced !== undefined && tool.name !== forced)) return []
    const last = tool.name.slice(tool.name.lastIndexOf('__') + 1).replace(/^_/, '')
    // The schema was parsed from JSON.
    const schema = isRecord(tool.inputSchema) ? (tool.inputSchema as ValueRecord) : {}
    const names = { name: tool.name, lower: tool.name.toLowerCase(), short: last.toLowerCase() }
    return [{ ...names, words: wordsOfName(last), description: tool.description ?? '', schema }]
  })
}

export function indexTools(tools: readonly OfferedTool[]): ToolIndex {
  const index = new Map<string, OfferedTool[]>()
  for (const tool of tools) {
    for (const name of new Set([tool.lower, tool.short, ...tool.words.slice(0, 1)])) {
      const same = index.get(name)
      if (same === undefined) index.set(name, [tool])
      else same.push(tool)
    }
  }
  return index
}

/** Uses `{}` in place of a value that is not a schema. */
export function propertiesOf(schema: ValueRecord): [string, ValueRecord][] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties)) return []
  return Object.entries(properties).map(([name, child]) => [name, isRecord(child) ? child : {}])
}

/** Pairs each description in a schema with the name of its property. */
export function describedParameters(schema: ValueRecord, depth = 0): [string, string][] {
  if (depth > DEEPEST) return []
  return propertiesOf(schema).flatMap(([name, child]): [string, string][] => {
    const texts = [own(child, 'title'), own(child, 'description')].filter((text) => typeof text === 'string')
    const preset = own(child, 'default')
    // A name and its default, as a sentence.
    const sentence = typeof preset === 'string' ? [`${wordsOfName(name).join(' ')} ${preset}`] : []
    return [[name, [...texts, ...sentence].join('\n\n')], ...describedParameters(child, depth + 1)]
  })
}
