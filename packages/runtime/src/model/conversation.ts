/** Contents of requests to a served agent: earlier messages, client tools, context and state. */
import type { Value, ValueRecord } from '@joust/source'
import type { RequestedCall } from './events.ts'

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

/** A tool executed by the client: a call ends the run, and its result arrives with the next request. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
}

export interface ClientToolCall {
  readonly id: string
  readonly name: string
  readonly args: Value
}

/** Input of `agf.react` in addition to the agent's input. */
export interface Conversation {
  /** Turns recalled from the agent's memory. They follow the instructions in the prompt. */
  readonly recalled: readonly ConversationMessage[]
  /** All messages of a request, including the latest. If empty, the prompt is built from the input. */
  readonly messages: readonly ConversationMessage[]
  readonly clientTools: readonly ClientTool[]
  /** Context data for the prompt. */
  readonly context?: Value | undefined
  readonly state?: Value | undefined
}

/** Thrown by `agf.react` to end a run with calls to client tools, not with an output or failure. Caught by `run`. */
export class ClientToolsCalled extends Error {
  override readonly name = 'ClientToolsCalled'
  readonly calls: readonly ClientToolCall[]

  constructor(calls: readonly ClientToolCall[]) {
    super('the model called client tools')
    this.calls = calls
  }
}
