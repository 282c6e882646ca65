/** Contents of a served request: earlier messages, client tools, context and state. */
import type { Value, ValueRecord } from '@joust/source'
import type { RequestedCall } from './events.ts'

/** An earlier message, with its role. */
export type ConversationMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly RequestedCall[] }
  | {
      readonly role: 'tool'
      /** The id of the call that this message answers. */
      readonly call: string
      readonly name?: string
      readonly content: Value
      readonly isError?: boolean
    }

/** A tool that the client runs: a call ends the run, and its result arrives with the next request. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
}

/** A call to a client tool. */
export interface ClientToolCall {
  readonly id: string
  readonly name: string
  readonly args: Value
}

/** Data for `agf.react` in addition to the input. */
export interface Conversation {
  /** Earlier turns from the agent's memory, placed directly after the instructions. */
  readonly recalled: readonly ConversationMessage[]
  /** The messages of a request, including the latest. If empty, the prompt is built from the input. */
  readonly messages: readonly ConversationMessage[]
  readonly clientTools: readonly ClientTool[]
  /** Context that is passed to the model as data. */
  readonly context?: Value | undefined
  readonly state?: Value | undefined
}

/** Ends a run with calls to client tools, without output or failure. Thrown by `agf.react`, caught by `run`. */
export class ClientToolsCalled extends Error {
  override readonly name = 'ClientToolsCalled'
  readonly calls: readonly ClientToolCall[]

  constructor(calls: readonly ClientToolCall[]) {
    super('the model called client tools')
    this.calls = calls
  }
}
