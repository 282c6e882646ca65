/** Answers in place of a real server. */
import { deepEqual, isRecord, own, type Value } from '@joust/source'
import { plainValue } from '../inventory/plain-values.ts'
import type { RealServer } from '../model/through.ts'

/** An answer, and its origin. */
interface HeldAnswer {
  readonly result: Value
  readonly by: 'recording' | 'schema'
}

/**
 * The answer to a call that is held back: the recorded one with these arguments, another recorded one of the tool, or a
 * harmless one. With an output schema, clients refuse an answer without `structuredContent`.
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
