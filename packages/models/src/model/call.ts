/** Model calls, as HTTP exchanges and in a form that all wire formats share. */
import type { Value } from '@joust/source'
import type { ModelDiagnostic } from './diagnostics.ts'

/** The format of a call; `other` for paths such as `/v1/models` and `count_tokens`. */
export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'other'

/** Header names and values, in their original spelling and order. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The end of an exchange: complete, broken off by the provider, closed by the agent, or without a response. */
export type ExchangeEnd = 'whole' | 'broken' | 'left' | 'unanswered'

/** A request and its response, decompressed and without keys. A body that was not recorded is absent. */
export interface Exchange {
  /** Position in the run by start time, starting at 1. */
  readonly sequence: number
  readonly method: string
  /** The path and query after the run prefix. */
  readonly path: string
  readonly request: { readonly headers: HeaderList; readonly size: number; readonly body?: string }
  /** The provider's response; undefined if it did not respond. */
  readonly answer?: {
    readonly status: number
    readonly headers: HeaderList
    readonly size: number
    readonly body?: string
  }
  readonly end: ExchangeEnd
  /** The start of the request, in milliseconds since 1970. */
  readonly started: number
  /** Milliseconds until the response headers arrived. */
  readonly first?: number
  readonly duration: number
  readonly diagnostics: readonly ModelDiagnostic[]
}

/** A prompt message, or a tool call or result in a prompt. */
export type PromptMessage =
  | { readonly role: 'system' | 'user' | 'assistant' | 'reasoning'; readonly text: string }
  | { readonly role: 'call'; readonly id: string; readonly name: string; readonly input: Value }
  | { readonly role: 'result'; readonly id: string; readonly text: string }

/** A tool in a request. */
export interface OfferedTool {
  /** The tool name, prefixed with the group name if the wire format has groups: `group__name`. */
  readonly name: string
  readonly description: string
  /** JSON Schema of the input; absent for tools that take plain text and for group descriptions. */
  readonly schema?: Value
  readonly group?: string
}

export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A request, independent of its wire format. */
export interface ModelRequest {
  readonly model?: string
  readonly messages: readonly PromptMessage[]
  readonly tools: readonly OfferedTool[]
  readonly choice: ToolChoice
  readonly answerSchema?: Value
  readonly streamed: boolean
}

/** A tool call in an answer. */
export interface AnswerCall {
  readonly id: string
  readonly name: string
  readonly group?: string
  /** The arguments; a string if they are not JSON. */
  readonly input: Value
}

/** The end of an answer. Any kind except `complete` may mean that text is missing. */
export interface Finish {
  readonly kind: 'complete' | 'cut' | 'filtered' | 'error' | 'unknown'
  /** The provider's finish reason. */
  readonly word?: string
}

/** Token counts as reported by the provider. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  /** Input tokens read from the provider's cache. */
  readonly cached?: number
}

/** An answer, independent of its wire format. */
export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly AnswerCall[]
  readonly finish: Finish
  readonly usage?: Usage
  readonly error?: string
}

/** A model call, independent of its wire format. */
export interface ModelCall extends ModelRequest {
  readonly wire: Wire
  readonly sequence: number
  readonly path: string
  /**
   * The decoded request body, in which references to earlier responses are replaced with the referenced items; absent
   * if it was not recorded or is not readable.
   */
  readonly body?: Value
  readonly answer: { readonly text: string; readonly calls: readonly AnswerCall[] }
  readonly finish: Finish
  readonly usage?: Usage
  readonly error?: string
  readonly status?: number
  readonly started: number
  readonly first?: number
  readonly duration: number
  readonly diagnostics: readonly ModelDiagnostic[]
}
