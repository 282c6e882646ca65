/** The body that begins a run (§7.3.4 `run_agent_input`). */
import { isRecord, kindOf, own, ownList, ownText, type Value, type ValueRecord, valueToText } from '@joust/source'
import type { DriverContext, Message, Scene } from '../driver.ts'
import type { ToolCall, Transcript } from './transcript.ts'

/**
 * A document may leave these out (§7.3.4), but servers refuse an input without messages, and older servers one without
 * any of these.
 */
const defaults: ValueRecord = { messages: [], tools: [], context: [], state: {}, forwardedProps: {} }

/** The input that a phase describes, filled now; undefined when it describes none. */
export function inputOf(scene: Scene, { stage, newId }: DriverContext): Value | undefined {
  const written = own(scene.state, 'run_agent_input')
  if (written === undefined || written === null) {
    stage.report('state-malformed', 'run_agent_input is missing, so no run is started', 'run_agent_input')
    return undefined
  }
  if (!isRecord(written)) {
    stage.report('state-malformed', `run_agent_input is ${kindOf(written)}, sent as it is`, 'run_agent_input')
    return stage.fill(written)
  }
  const { synthesize, ...rest } = written
  if (synthesize !== undefined) {
    const path = 'run_agent_input.synthesize'
    if (ownList(rest, 'messages').length > 0)
      stage.report('synthesize-reserved', 'synthesize is reserved; the static content is used', path)
    else
      stage.report(
        'answer-unwritten',
        'synthesize is reserved, and there are no messages: the agent is sent nothing',
        path,
      )
  }
  const missing = (key: string) =>
    stage.report('state-malformed', `${key} is missing; a fresh one is used`, `run_agent_input.${key}`)
  const filled = stage.fill(rest)
  // Filling changes strings only.
  return isRecord(filled) && !stage.verbatim ? complete(filled, { newId, missing }) : filled
}

/** An input that an entry action sends; its templates are filled already. */
export function inputOfEntry(params: Value | undefined, { stage, newId }: DriverContext): Value {
  const body = params ?? {}
  return isRecord(body) && !stage.verbatim ? complete(body, { newId }) : body
}

/** The next run of a thread: the conversation so far, the results, and everything else as before. */
export function nextInput(
  input: ValueRecord,
  transcript: Pick<Transcript, 'messages' | 'state'>,
  results: readonly ToolResult[],
  runId: string,
): ValueRecord {
  const state = transcript.state()
  const messages = [...transcript.messages(), ...results.map(({ message }) => message)]
  return { ...input, runId, messages, ...(state === undefined ? {} : { state }) }
}

/** The session of a run: its thread, which runs have in common. */
export function sessionOf(input: Value): Pick<Message, 'session'> {
  return { session: ownText(input, 'threadId') }
}

function complete(
  input: ValueRecord,
  { newId, missing = () => {} }: { readonly newId: () => string; readonly missing?: (key: string) => void },
): ValueRecord {
  const absent = (key: string) => !Object.hasOwn(input, key)
  const ids = ['threadId', 'runId'].filter(absent)
  for (const key of ids) missing(key)
  const fields = Object.entries(defaults).filter(([key]) => absent(key))
  return { ...input, ...Object.fromEntries(ids.map((key) => [key, newId()])), ...Object.fromEntries(fields) }
}

/** A `tool_call_result` of ours, and the message that carries it. */
export interface ToolResult {
  readonly result: ValueRecord
  readonly message: ValueRecord
}

/**
 * Answers the calls that a run has left open, whether or not the input offers their tools (§7.3.4). Without an entry,
 * the default result is used. The entry is that of the phase in which the call began; `{{request.…}}` is the input of
 * the run and `{{response.…}}` the `tool_call_start` (§5.5).
 */
export function answerCalls(calls: readonly ToolCall[], input: Value, context: DriverContext): readonly ToolResult[] {
  const { stage, newId } = context
  return calls.map(({ id, start, scene }) => {
    const entries = own(scene.state, 'tool_responses')
    const entry = stage.choose(entries, start, 'tool_responses')
    const content = entry?.content === undefined ? '' : stage.fill(entry.content, input, start)
    return toolResult(content, { messageId: newId(), toolCallId: id }, stage.report)
  })
}

/** A mapping is the result as it is, with only the ids filled in. Anything else is its content. */
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

/** The result as a message of the conversation: the same fields, under the names that messages use. */
function asMessage({ messageId, type, ...rest }: ValueRecord): ValueRecord {
  return { ...(messageId === undefined ? {} : { id: messageId }), role: 'tool', ...rest }
}
