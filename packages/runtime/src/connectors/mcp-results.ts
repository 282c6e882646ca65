/** Results of MCP as observations: text as text, structured content kept, everything else described. */

import { deepEqual, type Value } from '@joust/source'
import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client'
import { errorObservation, type Observation } from '../model/connection.ts'
import { readDoubles, toValue } from '../model/json-value.ts'

/** What a tool gave back. */
export function toolObservation({ content, structuredContent, isError = false }: CallToolResult): Observation {
  const text = blocksText(content)
  if (structuredContent === undefined) return { content: text, isError }
  const structured = toValue(structuredContent)
  if (!structured.ok) return errorObservation(`the structured content is not JSON: ${structured.error}`)
  // Servers repeat the structured content as text for clients that know only text.
  const repeated = text === '' || says(text, structured.value)
  return { content: repeated ? structured.value : { text, structuredContent: structured.value }, isError }
}

/** What a resource holds. */
export function resourceObservation({ contents }: ReadResourceResult): Observation {
  return { content: contents.map(resourceText).join('\n'), isError: false }
}

/** What a prompt says: its messages, in order. */
export function promptObservation({ description, messages }: GetPromptResult): Observation {
  const spoken = messages.map(({ role, content }) => ({ role, content: blockText(content) }))
  return { content: { ...(description === undefined ? {} : { description }), messages: spoken }, isError: false }
}

function says(text: string, value: Value): boolean {
  const read = readDoubles(text)
  return read.ok && deepEqual(read.value, value)
}

function blocksText(blocks: readonly ContentBlock[]): string {
  return blocks.map(blockText).join('\n')
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type} ${block.mimeType}, ${bytesOf(block.data)} bytes]`
    case 'resource_link':
      return `[resource ${block.uri}${block.description === undefined ? '' : `: ${block.description}`}]`
    case 'resource':
      return resourceText(block.resource)
    default:
      return '[content of an unknown kind]'
  }
}

type Contents = ReadResourceResult['contents'][number]

function resourceText(contents: Contents): string {
  if ('text' in contents) return contents.text
  return `[resource ${contents.uri}, ${contents.mimeType ?? 'of unknown type'}, ${bytesOf(contents.blob)} bytes]`
}

/** The size of what base64 stands for. */
function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}
