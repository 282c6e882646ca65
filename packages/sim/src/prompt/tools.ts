/** The tools on offer, and what their descriptions say. */
import type { LanguageModelV3CallOptions as ModelCall } from '@ai-sdk/provider'
import { isRecord, own, type ValueRecord } from '@joust/source'
import { wordsOfName } from '../english/word-forms.ts'

/** A tool on offer. */
export interface OfferedTool {
  readonly name: string
  /** The words of its name, without the server's. */
  readonly words: readonly string[]
  readonly description: string
  readonly schema: ValueRecord
}

const DEEPEST = 4

/** The tools that may be called. */
export function offeredTools({ tools = [], toolChoice }: ModelCall): OfferedTool[] {
  const forced = toolChoice?.type === 'tool' ? toolChoice.toolName : undefined
  return tools.flatMap((tool) => {
    if (tool.type !== 'function' || (forced !== undefined && tool.name !== forced)) return []
    const words = wordsOfName(tool.name.slice(tool.name.lastIndexOf('__') + 1))
    // A JSON Schema is an object of the tree.
    const schema = isRecord(tool.inputSchema) ? (tool.inputSchema as ValueRecord) : {}
    return [{ name: tool.name, words, description: tool.description ?? '', schema }]
  })
}

/** The properties of a schema by name; what is not a schema counts as one that takes anything. */
export function propertiesOf(schema: ValueRecord): [string, ValueRecord][] {
  const properties = own(schema, 'properties')
  if (!isRecord(properties)) return []
  return Object.entries(properties).map(([name, child]) => [name, isRecord(child) ? child : {}])
}

/** Texts inside a schema with the property they belong to. */
export function describedParameters(schema: ValueRecord, depth = 0): [string, string][] {
  if (depth > DEEPEST) return []
  return propertiesOf(schema).flatMap(([name, child]): [string, string][] => {
    const texts = [own(child, 'title'), own(child, 'description')].filter((text) => typeof text === 'string')
    const preset = own(child, 'default')
    // A name and its default, read as a sentence.
    const sentence = typeof preset === 'string' ? [`${wordsOfName(name).join(' ')} ${preset}`] : []
    return [[name, [...texts, ...sentence].join('\n\n')], ...describedParameters(child, depth + 1)]
  })
}
