/** What an ordinary user asks where no document asks anything: as the state of a client actor, by its mode. */

/** A new id, by what it is for. */
type NewId = (what: 'thread' | 'run' | 'message') => string

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

/** The modes in which a user can ask. */
export type UserMode = keyof typeof userRequests
