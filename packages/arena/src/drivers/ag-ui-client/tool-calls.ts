/** Tool calls that this client answers, and what with (§7.3.4 `tool_responses`). */
import { isRecord, kindOf, own, type Value, type ValueRecord, valueToText } from '@joust/source'
import type { DriverContext } from '../driver.ts'
import type { ToolCall } from './transcript.ts'

/** A `tool_call_result` of ours, and the message that carries it. */
export interface ToolResult {
  readonly result: ValueRecord
  readonly message: ValueRecord
}

/**
 * Answers the calls that a run has left open, whether or not the input offers their tools (§7.3.4). No entry: the default
 * result. The entry is that of the phase in which the call began; `{{request.…}}` is the input of the run and
 * `{{response.…}}` the `tool_call_start` (§5.5).
 */
export function answerCalls(calls: readonly ToolCall[], input: Value, context: DriverContext): readonly ToolResult[] {
  const { stage, newId } = context
  return calls.map(({ id, start, scene }) => {
    const entries = isRecord(scene.state) ? own(scene.state, 'tool_responses') : undefined
    const entry = stage.choose(entries, start, 'tool_responses')
    const content = entry?.content === undefined ? '' : stage.fill(entry.content, input, start)
    return toolResult(content, { messageId: newId(), toolCallId: id }, stage.report)
  })
}

/** A mapping is the result as it stands; only the ids are filled in. Anything else is its content. */
export function toolResult(
  content: Value,
  ids: { readonly messageId: string; readonly toolCallId?: string },
  report: DriverContext['stage']['report'],
): ToolResult {
  if (isRecord(content)) {
    if (!Object.hasOwn(content, 'content')) report('content-malformed', 'a tool result without content')
    return { result: { ...ids, ...content }, message: asMessage({ ...ids, ...content }) }
  }
  const text = valueToText(content, 'document')
  if (!text.ok) report('content-malformed', `${kindOf(content)} as a tool result: ${text.error.message}`)
  const result = { ...ids, content: text.ok ? text.value : '' }
  return { result, message: asMessage(result) }
}

/** The result as a message of the conversation: the same fields, with the names that messages have for them. */
function asMessage({ messageId, type, ...rest }: ValueRecord): ValueRecord {
  return { ...(messageId === undefined ? {} : { id: messageId }), role: 'tool', ...rest }
}
