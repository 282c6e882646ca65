/** Responses in place of a real server. */
import { deepEqual, isRecord, own, type Value } from '@joust/source'
import { plainValue } from '../inventory/plain-values.ts'
import type { RealServer } from '../model/through.ts'

interface HeldAnswer {
  readonly result: Value
  readonly by: 'recording' | 'schema'
}

/**
 * Responds to a call that is held back: with the result recorded for its arguments, another recorded result of the
 * tool, or a harmless result. If a tool has an output schema, clients reject a result without `structuredContent`.
 */
export function heldAnswer({ tools, answers = [] }: RealServer, tool: string, args: Value | undefined): HeldAnswer {
  const recorded = answers.filter((answer) => answer.tool === tool)
  const match = recorded.find((answer) => deepEqual(answer.arguments ?? {}, args ?? {})) ?? recorded[0]
  if (match !== undefined) return { result: match.result, by: 'recording' }
  const schema = own(tools.find(({ name }) => name === tool) ?? null, 'outputSchema')
  if (!isRecord(schema)) return { result: { content: [{ type: 'text', text: 'Done.' }] }, by: 'schema' }
  const structuredContent = plainValue(tool, schema, schema)
  const text = JSON.stringify(structuredContent)
  return { result: { content: [{ type: 'text', text }], structuredContent }, by: 'schema' }
}
