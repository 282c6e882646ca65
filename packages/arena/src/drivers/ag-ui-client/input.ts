/** The input of a run (`run_agent_input`, [OATF §7.3.4](https://oatf.io/specification/protocol-bindings/ag-ui/)). */
import { isRecord, kindOf, own, ownList, ownText, type Value, type ValueRecord, valueToText } from '@joust/source'
import type { DriverContext, Message, Scene } from '../driver.ts'
import type { Interrupt, ToolCall, Transcript } from './transcript.ts'

/** Defaults for omitted fields. Servers require messages, and older servers require all fields. */
const defaults: ValueRecord = { messages: [], tools: [], context: [], state: {}, forwardedProps: {} }

/** Returns undefined if the phase has no input. An input that is not an object is sent as written. */
export function inputOf(scene: Scene, { stage, newId }: DriverContext): Value | undefined {
  const written = own(scene.state, 'run_agent_input')
  if (written === undefined || written === null) {
    stage.report('state-malformed', 'run_agent_input is missing, so no run was started', 'run_agent_input')
    return undefined
  }
  if (!isRecord(written)) {
    const fault = `run_agent_input: expected a mapping, got ${kindOf(written)}; it was sent as written`
    stage.report('state-malformed', fault, 'run_agent_input')
    return stage.fill(written)
  }
  const { synthesize, ...rest } = written
  if (synthesize !== undefined) {
    const path = 'run_agent_input.synthesize'
    const none = 'synthesize is reserved, and the input has no static messages: it was sent without messages'
    if (ownList(rest, 'messages').length === 0) stage.report('answer-unwritten', none, path)
    else stage.report('synthesize-reserved', 'synthesize is reserved; the static content was used', path)
  }
  const missing = (key: string) =>
    stage.report('state-malformed', `${key} is missing; a new one was generated`, `run_agent_input.${key}`)
  const filled = stage.fill(rest)
  // An object remains an object when its templates are filled.
  return isRecord(filled) && !stage.verbatim ? complete(filled, { newId, missing }) : filled
}

/** The templates of an entry action are already filled. */
export function inputOfEntry(params: Value | undefined, { stage, newId }: DriverContext): Value {
  const body = params ?? {}
  return isRecord(body) && !stage.verbatim ? complete(body, { newId }) : body
}

/** Adds the conversation and the tool results; all other fields are unchanged. */
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

/** A thread counts as a session. */
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

export interface ToolResult {
  readonly result: ValueRecord
  readonly message: ValueRecord
}

/**
 * Answers the open tool calls of a run, including calls of tools that the input does not declare (OATF §7.3.4). The
 * entry is taken from the phase in which the call started; if no entry matches, the result is empty. `{{request.…}}` is
 * the run input and `{{response.…}}` the `tool_call_start` (OATF §5.5).
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

/** Answers the interrupts of a run (AG-UI 1.0) with the first matching entry of `x-joust-resume`, if any. */
export function resumeOf(interrupts: readonly Interrupt[], input: Value, { stage }: DriverContext): readonly Value[] {
  return interrupts.flatMap(({ interrupt, scene }): readonly Value[] => {
    const entry = stage.choose(own(scene.state, 'x-joust-resume'), interrupt, 'x-joust-resume')
    if (entry === undefined) return []
    const filled = stage.fill(entry.content ?? {}, input, interrupt)
    if (!isRecord(filled)) return [filled]
    return [{ interruptId: own(interrupt, 'id') ?? null, status: 'resolved', ...filled }]
  })
}

/** Creates a tool result. An object becomes the result, with added ids; any other value becomes its content. */
export function toolResult(
  content: Value,
  ids: { readonly messageId: string; readonly toolCallId?: string },
  report: DriverContext['stage']['report'],
): ToolResult {
  if (isRecord(content)) {
    if (!Object.hasOwn(content, 'content')) report('content-malformed', 'tool result without content')
    return { result: { ...ids, ...content }, message: asMessage({ ...ids, ...content }) }
  }
  const text = valueToText(content, 'document')
  if (!text.ok) report('content-malformed', `invalid tool result (${kindOf(content)}): ${text.error.message}`)
  const result = { ...ids, content: text.ok ? text.value : '' }
  return { result, message: asMessage(result) }
}

function asMessage({ messageId, type, ...rest }: ValueRecord): ValueRecord {
  return { ...(messageId === undefined ? {} : { id: messageId }), role: 'tool', ...rest }
}
