/** Requests from an ordinary user, for documents without a client actor, and to continue or repeat a conversation. */

import { type ClientMessage, finalAnswer } from '@joust/arena'
import { defined, isRecord, own, ownList, ownText, type Value, type ValueRecord } from '@joust/source'

type NewId = (kind: 'thread' | 'run' | 'message') => string

/** Functions that build the state of a client actor that sends a text, by mode. */
export const userRequests = {
  ag_ui_client(content: string, newId: NewId) {
    const messages = [{ id: newId('message'), role: 'user', content }]
    const empty = { state: {}, tools: [], context: [], forwardedProps: {} }
    return { run_agent_input: { threadId: newId('thread'), runId: newId('run'), messages, ...empty } }
  },
  a2a_client(text: string, newId: NewId) {
    const parts = [{ kind: 'text', text }]
    const message = { kind: 'message', messageId: newId('message'), role: 'user', parts }
    const action = { method: 'message/send', params: { message, configuration: { blocking: true } } }
    const actions: readonly [typeof action] = [action]
    return { actions }
  },
}

/** Modes of client actors that can send a user's request. */
export type UserMode = keyof typeof userRequests

interface NextRequest {
  readonly mode: UserMode
  /** The state of a client actor that sends the request. */
  readonly state: ValueRecord
  /** The request itself: run input or method parameters. */
  readonly content: ValueRecord
}

/** Creates a request that continues the clients' last conversation; undefined if that is impossible. */
export function nextRequest(
  question: string,
  messages: readonly ClientMessage[],
  newId: NewId,
): NextRequest | undefined {
  const at = messages.findLastIndex(({ mode, flow }) => flow === 'out' && Object.hasOwn(continuations, mode))
  const last = messages[at]
  // `hasOwn` has checked the mode.
  return last && continuations[last.mode as UserMode]({ last, after: messages.slice(at), question, newId })
}

interface Continued {
  readonly last: ClientMessage
  /** The last request and all later messages. */
  readonly after: readonly ClientMessage[]
  readonly question: string
  readonly newId: NewId
}

const continuations: { readonly [mode in UserMode]: (from: Continued) => NextRequest | undefined } = {
  ag_ui_client({ last: { mode, content }, after, question, newId }) {
    const answer = finalAnswer(after.filter((message) => message.mode === mode))
    const spoken = answer === undefined ? [] : [{ id: newId('message'), role: 'assistant', content: answer }]
    const messages = [
      ...ownList(content, 'messages'),
      ...spoken,
      { id: newId('message'), role: 'user', content: question },
    ]
    const thread = ownText(content, 'threadId')
    if (thread === undefined) return undefined
    const empty = { state: {}, tools: [], context: [], forwardedProps: {} }
    const input = { ...empty, threadId: thread, runId: newId('run'), messages }
    return { mode: 'ag_ui_client', state: { run_agent_input: input }, content: input }
  },
  a2a_client({ after, question, newId }) {
    const contexts = after.flatMap(({ mode, flow, content }) =>
      mode === 'a2a_client' && flow === 'in' ? (ownText(content, 'contextId') ?? []) : [],
    )
    const contextId = contexts.at(-1)
    if (contextId === undefined) return undefined
    const { actions } = userRequests.a2a_client(question, newId)
    const [{ method, params }] = actions
    const content = { ...params, message: { ...params.message, contextId } }
    return { mode: 'a2a_client', state: { actions: [{ method, params: content }] }, content }
  },
}

/** A function that creates the state of a client actor from the messages received so far. */
type Repetition = (earlier: readonly ClientMessage[]) => ValueRecord

/**
 * Repeats the requests of the last conversation in a new one, with an addition to each user message; undefined if that
 * is impossible.
 */
export function repeatedRequests(
  addition: string,
  messages: readonly ClientMessage[],
  newId: NewId,
): { readonly mode: UserMode; readonly requests: readonly Repetition[] } | undefined {
  const sent = messages.filter(({ flow, mode }) => flow === 'out' && Object.hasOwn(repetitions, mode))
  const last = sent.at(-1)
  if (last === undefined) return undefined
  // `hasOwn` has checked the mode.
  const mode = last.mode as UserMode
  const requests = repetitions[mode](
    sent.filter((request) => request.mode === mode),
    addition,
    newId,
  )
  return requests && { mode, requests }
}

type Repeat = (sent: readonly ClientMessage[], addition: string, newId: NewId) => readonly Repetition[] | undefined

const repetitions: { readonly [mode in UserMode]: Repeat } = {
  ag_ui_client(sent, addition, newId) {
    const thread = ownText(sent.at(-1)?.content, 'threadId')
    const ofThread = sent.flatMap(({ content }) => (ownText(content, 'threadId') === thread ? [content] : []))
    // Later results of client tools belong to calls in the first conversation.
    const inputs = ofThread.filter((input, index) => index === 0 || roleOfLast(input) !== 'tool')
    const threadId = newId('thread')
    const repeated = inputs.map((input): Repetition | undefined => {
      if (!isRecord(input)) return undefined
      const messages = withAddition(ownList(input, 'messages'), addition, newId)
      return () => ({ run_agent_input: { ...input, threadId, runId: newId('run'), messages } })
    })
    return complete(repeated)
  },
  a2a_client(sent, addition, newId) {
    const all = sent.filter(({ surface }) => surface.startsWith('message/'))
    // A message without a context starts a conversation.
    const first = all.findLastIndex(({ content }) => idsIn(own(content, 'message')).contextId === undefined)
    const repeated = all.slice(Math.max(0, first)).map(({ surface: method, content }): Repetition | undefined => {
      const message = own(content, 'message')
      if (!isRecord(content) || !isRecord(message)) return undefined
      const { contextId: _, taskId, ...rest } = message
      const parts = [...ownList(message, 'parts'), { kind: 'text', text: addition }]
      return (earlier) => {
        const ids = earlier.flatMap((answer) => (answer.flow === 'in' ? [idsIn(answer.content)] : []))
        const contextId = ids.findLast((id) => id.contextId !== undefined)?.contextId
        const task = taskId === undefined ? undefined : ids.findLast((id) => id.taskId !== undefined)?.taskId
        const more = defined({ contextId, taskId: task })
        return {
          actions: [
            { method, params: { ...content, message: { ...rest, messageId: newId('message'), parts, ...more } } },
          ],
        }
      }
    })
    return complete(repeated)
  },
}

function roleOfLast(input: Value): Value | undefined {
  return own(ownList(input, 'messages').at(-1), 'role')
}

/** Appends a text to the last message if that is a user's text, or else adds a user message. */
function withAddition(messages: readonly Value[], addition: string, newId: NewId): Value[] {
  const last = messages.at(-1)
  const text = ownText(last, 'content')
  if (isRecord(last) && last.role === 'user' && text !== undefined)
    return [...messages.slice(0, -1), { ...last, content: `${text}\n\n${addition}` }]
  return [...messages, { id: newId('message'), role: 'user', content: addition }]
}

/** True if the agent called a client tool, which a repetition cannot execute. */
export function callsClientTool(request: Value, answers: readonly ClientMessage[]): boolean {
  const names = ownList(own(request, 'run_agent_input'), 'tools').map((tool) => own(tool, 'name'))
  return answers.some(
    ({ flow, surface, content }) =>
      flow === 'in' && surface === 'tool_call_start' && names.includes(own(content, 'toolCallName')),
  )
}

function complete(requests: readonly (Repetition | undefined)[]): readonly Repetition[] | undefined {
  const all = requests.filter((request) => request !== undefined)
  return all.length > 0 && all.length === requests.length ? all : undefined
}

/** Returns the context and task ids in an A2A message, task or event. */
function idsIn(value: Value | undefined) {
  const taskId = ownText(value, 'taskId') ?? (ownText(value, 'kind') === 'task' ? ownText(value, 'id') : undefined)
  return { contextId: ownText(value, 'contextId'), taskId }
}
