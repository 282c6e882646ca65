/** Tool calls that this client answers, and what with (§7.3.4 `tool_responses`). */
import { isList, isRecord, kindOf, own, type Value, type ValueRecord, valueToText } from '@joust/source'
import type { DriverContext } from '../driver.ts'
import type { ToolCall } from './transcript.ts'

/** A `tool_call_result` of ours, and the message that carries it. */
export interface ToolResult {
  readonly result: ValueRecord
  readonly message: ValueRecord
}

/**
 * Answers the calls that a run has left open. An agent also shows calls of tools it runs itself, some without their
 * results, so when the input offers tools, a call of another one is answered only by an entry whose `when` names it.
 * When the input offers none, every call is. No entry: the default result. The entry is that of the phase in which the
 * call began; `{{request.…}}` is the input of the run and `{{response.…}}` the `tool_call_start` (§5.5).
 */
export function answerCalls(calls: readonly ToolCall[], input: Value, context: DriverContext): readonly ToolResult[] {
  const { stage, newId } = context
  const offered = offeredTools(input)
  return calls.flatMap(({ id, name, start, scene }) => {
    const entries = isRecord(scene.state) ? own(scene.state, 'tool_responses') : undefined
    const entry = stage.choose(entries, start, 'tool_responses')
    if (offered.size > 0 && !offered.has(name) && entry?.when === undefined) {
      const why = 'it is no tool that run_agent_input offers, and no entry of tool_responses names it in a `when`'
      stage.report('reply-unexpected', `the agent showed no result of ${name}, which is not answered: ${why}`)
      return []
    }
    const content = entry?.content === undefined ? '' : stage.fill(entry.content, input, start)
    return [toolResult(content, { messageId: newId(), toolCallId: id }, stage.report)]
  })
}

/** The names of the tools that an input offers. */
function offeredTools(input: Value): ReadonlySet<Value> {
  const tools = isRecord(input) ? own(input, 'tools') : undefined
  const names = isList(tools) ? tools.flatMap((tool) => (isRecord(tool) ? [own(tool, 'name') ?? null] : [])) : []
  return new Set(names)
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
