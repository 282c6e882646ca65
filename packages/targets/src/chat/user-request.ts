/** Requests of an ordinary user, for documents without a client actor. */

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
    return { actions: [{ method: 'message/send', params: { message, configuration: { blocking: true } } }] }
  },
}

/** Modes of client actors that can send a user's request. */
export type UserMode = keyof typeof userRequests
