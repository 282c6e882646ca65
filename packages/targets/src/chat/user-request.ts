/** Requests of an ordinary user: for documents without a client actor, and after the last one of a conversation. */

import { type ClientMessage, finalAnswer } from '@joust/arena'
import { isRecord, own, ownList, ownText, type ValueRecord } from '@joust/source'

type NewId = (kind: 'thread' | 'run' | 'message') => string

/** Builds the state of a client actor from a text, by mode. */
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

/** The request that continues a conversation. */
interface NextRequest {
  readonly mode: UserMode
  /** The state of a client actor that sends it. */
  readonly state: ValueRecord
  /** Its content: the input of a run, or the parameters of a method. */
  readonly content: ValueRecord
}

/** Continues the last conversation in the messages of clients; undefined where this is not possible. */
export function nextRequest(
  question: string,
  messages: readonly ClientMessage[],
  newId: NewId,
): NextRequest | undefined {
  const at = messages.findLastIndex(({ mode, flow }) => flow === 'out' && Object.hasOwn(continuations, mode))
  const last = messages[at]
  // The key is one of the table.
  return last && continuations[last.mode as UserMode]({ last, after: messages.slice(at), question, newId })
}

interface Continued {
  /** The last request. */
  readonly last: ClientMessage
  /** The messages from that request on. */
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

/** Repeats the request of a conversation in a new one, with an addition; undefined unless it has exactly one. */
export function repeatedRequest(
  addition: string,
  messages: readonly ClientMessage[],
  newId: NewId,
): Pick<NextRequest, 'mode' | 'state'> | undefined {
  const requests = messages.filter(({ mode, flow }) => flow === 'out' && Object.hasOwn(repetitions, mode))
  const [request] = requests
  if (request === undefined || requests.length > 1) return undefined
  // The key is one of the table.
  const mode = request.mode as UserMode
  const state = repetitions[mode](request, addition, newId)
  return state && { mode, state }
}

const repetitions: {
  readonly [mode in UserMode]: (request: ClientMessage, addition: string, newId: NewId) => ValueRecord | undefined
} = {
  ag_ui_client({ content }, addition, newId) {
    const messages = ownList(content, 'messages')
    const last = messages.at(-1)
    const text = ownText(last, 'content')
    if (!isRecord(content) || !isRecord(last) || text === undefined || last.role !== 'user') return undefined
    // A call of a tool of the client would not be judged.
    if (ownList(content, 'tools').length > 0) return undefined
    const added = { ...last, content: `${text}\n\n${addition}` }
    const ids = { threadId: newId('thread'), runId: newId('run') }
    return { run_agent_input: { ...content, ...ids, messages: [...messages.slice(0, -1), added] } }
  },
  a2a_client({ surface: method, content }, addition, newId) {
    const message = own(content, 'message')
    if (!isRecord(content) || !isRecord(message) || !method.startsWith('message/')) return undefined
    const { contextId: _, taskId: __, ...rest } = message
    const parts = [...ownList(message, 'parts'), { kind: 'text', text: addition }]
    const params = { ...content, message: { ...rest, messageId: newId('message'), parts } }
    return { actions: [{ method, params }] }
  },
}
