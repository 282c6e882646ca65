/** Calls to the agent's model in a trace, recorded separately from the protocol messages. Indicators never see them. */
import type { Value } from '@joust/source'

/** A message, tool call or tool result in a prompt. */
export type ModelMessage =
  | { readonly role: 'system' | 'user' | 'assistant' | 'reasoning'; readonly text: string }
  | { readonly role: 'call'; readonly id: string; readonly name: string; readonly input: Value }
  | { readonly role: 'result'; readonly id: string; readonly text: string }

export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly schema?: Value
}

/**
 * A call to the agent's model, observed by a proxy or inside the agent. In a trace, model calls follow the messages.
 */
export interface ModelEntry {
  /** Number of the call in its run, from 1, by start time. */
  readonly model: number
  /** Request time in ISO 8601. */
  readonly at: string
  /** Milliseconds from the start of the run to the request. */
  readonly elapsed_ms: number
  readonly duration_ms: number
  /** The wire format, or `in-process`. */
  readonly wire: string
  /** Model name in the request. */
  readonly name?: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly answer: {
    readonly text: string
    readonly calls: readonly { readonly id: string; readonly name: string; readonly input: Value }[]
  }
  /** Finish reason. Only `complete` answers were neither cut off nor filtered. */
  readonly finish: { readonly kind: 'complete' | 'cut' | 'filtered' | 'error' | 'unknown'; readonly word?: string }
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cached?: number }
  readonly error?: string
  /** HTTP status of the response. */
  readonly status?: number
  /** True if texts were shortened because of a limit. */
  readonly cut?: true
  readonly redacted?: true
}
