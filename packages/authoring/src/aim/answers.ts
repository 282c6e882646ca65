/** Results of mirrored tools: recorded, or generated from the output schema. */
import { plainValue } from '@joust/arena/inventory'
import { isList, isRecord, mapScalars, own, type Value } from '@joust/source'
import type { SessionServer, SessionTool } from '../session/session.ts'

/** A tool result, as a mutable record. */
export type Answer = Record<string, Value>

const PLAIN = 'The review is on Friday at ten, in room 4.'

/** Returns the tool's first recorded result that is not an error, or a generated result. */
export function answerOf(server: SessionServer, tool: SessionTool, text = PLAIN): Answer {
  const recorded = server.calls?.find(
    ({ method, name, result }) =>
      method === 'tools/call' && name === tool.name && isRecord(result) && own(result, 'isError') !== true,
  )?.result
  if (isRecord(recorded) && isList(own(recorded, 'content'))) return { ...recorded }
  if (!isRecord(tool.outputSchema)) return { content: [{ type: 'text', text }] }
  const structured = plainValue(tool.name, tool.outputSchema, tool.outputSchema)
  return { content: [{ type: 'text', text: JSON.stringify(structured) }], structuredContent: structured }
}

/** Appends a text to the first text in the content and in the structured content of a tool result. */
export function withText(answer: Answer, text: string): Answer {
  const blocks = own(answer, 'content')
  const list = isList(blocks) ? blocks : []
  const structured = own(answer, 'structuredContent')
  const laid = structured === undefined ? undefined : appendToText(structured, text)
  if (laid?.done === true) {
    return { ...answer, content: [{ type: 'text', text: JSON.stringify(laid.value) }], structuredContent: laid.value }
  }
  const at = list.findIndex((block) => typeof own(block, 'text') === 'string')
  const content =
    at < 0
      ? [...list, { type: 'text', text }]
      : list.map((block, index) =>
          index === at && isRecord(block) ? { ...block, text: `${String(own(block, 'text'))}\n\n${text}` } : block,
        )
  return { ...answer, content }
}

/** Minimum length of free text. Shorter strings are names, types or enumeration values. */
const SHORTEST = 12

function appendToText(value: Value, text: string): { readonly value: Value; readonly done: boolean } {
  let longest = ''
  mapScalars(value, (scalar) => {
    if (typeof scalar === 'string' && scalar.length > longest.length) longest = scalar
    return scalar
  })
  if (longest.length < SHORTEST) return { value, done: false }
  let done = false
  const changed = mapScalars(value, (scalar) => {
    if (done || scalar !== longest) return scalar
    done = true
    return `${longest}\n\n${text}`
  })
  return { value: changed, done }
}
