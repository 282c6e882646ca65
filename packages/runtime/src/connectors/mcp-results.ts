/** Converts MCP results to observations. Text and structured content are unchanged; other content is described. */
import { deepEqual, type Value } from '@joust/source'
import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/client'
import { errorObservation, type Observation } from '../model/connection.ts'
import { readDoubles, toValue } from '../model/json-value.ts'

export function toolObservation({ content, structuredContent, isError = false }: CallToolResult): Observation {
  const text = content.map(blockText).join('\n')
  if (structuredContent === undefined) return { content: text, isError }
  const structured = toValue(structuredContent)
  if (!structured.ok) return errorObservation(`the structured content is not valid JSON: ${structured.error}`)
  // Servers repeat structured content as text for older clients.
  const repeated = text === '' || isJsonOf(text, structured.value)
  return { content: repeated ? structured.value : { text, structuredContent: structured.value }, isError }
}

export function resourceObservation({ contents }: ReadResourceResult): Observation {
  return { content: contents.map(resourceText).join('\n'), isError: false }
}

export function promptObservation({ description, messages }: GetPromptResult): Observation {
  const contents = messages.map(({ role, content }) => ({ role, content: blockText(content) }))
  return { content: { ...(description === undefined ? {} : { description }), messages: contents }, isError: false }
}

function isJsonOf(text: string, value: Value): boolean {
  const read = readDoubles(text)
  return read.ok && deepEqual(read.value, value)
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
      return '[unknown kind of content]'
  }
}

type Contents = ReadResourceResult['contents'][number]

function resourceText(contents: Contents): string {
  if ('text' in contents) return contents.text
  return `[resource ${contents.uri}, ${contents.mimeType ?? 'of unknown type'}, ${bytesOf(contents.blob)} bytes]`
}

function bytesOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}
