/** What comes with a request that is served: earlier messages, tools of the client, data. */
import type { Value, ValueRecord } from '@joust/source'
import type { AskedCall } from './events.ts'

/** An earlier message; roles are kept. */
export type ConversationMessage =
  | { readonly role: 'system' | 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly text: string; readonly calls?: readonly AskedCall[] }
  | {
      readonly role: 'tool'
      /** The id of the call that it answers. */
      readonly call: string
      readonly name?: string
      readonly content: Value
      readonly isError?: boolean
    }

/** A tool that the client runs: calling it ends the run, its result comes with the next request. */
export interface ClientTool {
  readonly name: string
  readonly description?: string
  readonly inputSchema: ValueRecord
}

/** A call of a client tool. */
export interface ClientToolCall {
  readonly id: string
  readonly name: string
  readonly args: Value
}

/** What `agf.react` gets besides the input. */
export interface Conversation {
  /** Earlier turns from the agent's memory; they come first, after the instructions. */
  readonly recalled: readonly ConversationMessage[]
  /** The messages of a request, including its latest. When there are none, the prompt is made from the input. */
  readonly messages: readonly ConversationMessage[]
  readonly clientTools: readonly ClientTool[]
  /** Given to the model as data. */
  readonly context?: Value | undefined
  readonly state?: Value | undefined
}

/** A run that ends with calls of client tools: neither output nor failure. Thrown by `agf.react`, caught by `run`. */
export class ClientToolsCalled extends Error {
  override readonly name = 'ClientToolsCalled'
  readonly calls: readonly ClientToolCall[]

  constructor(calls: readonly ClientToolCall[]) {
    super('the model called tools of the client')
    this.calls = calls
  }
}
