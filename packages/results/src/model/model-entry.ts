/** Calls to the agent's model in a trace, recorded beside the protocol messages. Indicators never see them. */
import type { Value } from '@joust/source'

/** A message in a prompt, a tool call in it, or the result of one. */
export type ModelMessage =
  | { readonly role: 'system' | 'user' | 'assistant' | 'reasoning'; readonly text: string }
  | { readonly role: 'call'; readonly id: string; readonly name: string; readonly input: Value }
  | { readonly role: 'result'; readonly id: string; readonly text: string }

/** A tool that was offered to the model. */
export interface ModelTool {
  readonly name: string
  readonly description: string
  readonly schema?: Value
}

/** One call to the agent's model, from a proxy or from inside the agent. Model lines of a trace follow its messages. */
export interface ModelEntry {
  /** The number of the model call in its run, from 1, in the order of start. */
  readonly model: number
  /** The time of the request, as ISO 8601. */
  readonly at: string
  /** Milliseconds from the start of the run to the request. */
  readonly elapsed_ms: number
  readonly duration_ms: number
  /** The wire format, or `in-process`. */
  readonly wire: string
  /** The name of the model in the request. */
  readonly name?: string
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ModelTool[]
  readonly answer: {
    readonly text: string
    readonly calls: readonly { readonly id: string; readonly name: string; readonly input: Value }[]
  }
  /** The end of the answer. Only `complete` answers were neither cut off nor filtered. */
  readonly finish: { readonly kind: 'complete' | 'cut' | 'filtered' | 'error' | 'unknown'; readonly word?: string }
  readonly usage?: { readonly input?: number; readonly output?: number; readonly cached?: number }
  readonly error?: string
  /** The HTTP status of the answer. */
  readonly status?: number
  /** True if texts were shortened to a limit. */
  readonly cut?: true
  /** True if secrets were redacted. */
  readonly redacted?: true
}
