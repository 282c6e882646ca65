/** Model calls: as HTTP exchanges, and in the common form of all wire formats. */
import type { Value } from '@joust/source'
import type { ModelDiagnostic } from './diagnostics.ts'

/** The format of a call; `other` for paths such as `/v1/models` and `count_tokens`. */
export type Wire = 'openai-chat' | 'openai-responses' | 'anthropic-messages' | 'gemini' | 'other'

/** Header names with their values, as they were written and in their order. */
export type HeaderList = readonly (readonly [name: string, value: string])[]

/** The end of an exchange: complete, broken by the provider, closed by the agent, or without an answer. */
export type ExchangeEnd = 'whole' | 'broken' | 'left' | 'unanswered'

/** A request and its answer, decompressed and without keys. A body is absent if it was not recorded. */
export interface Exchange {
  /** The number of the exchange in its run, from 1, in the order in which the exchanges began. */
  readonly sequence: number
  readonly method: string
  /** The path and query after the prefix of the run. */
  readonly path: string
  readonly request: { readonly headers: HeaderList; readonly size: number; readonly body?: string }
  /** The answer of the provider; absent if there was none. */
  readonly answer?: {
    readonly status: number
    readonly headers: HeaderList
    readonly size: number
    readonly body?: string
  }
  readonly end: ExchangeEnd
  /** The start of the request, in milliseconds since 1970. */
  readonly started: number
  /** Milliseconds until the headers of the answer. */
  readonly first?: number
  /** Milliseconds until the end of the exchange. */
  readonly duration: number
  readonly diagnostics: readonly ModelDiagnostic[]
}

/** A message in a prompt, a tool call in it, or the result of one. */
export type PromptMessage =
  | { readonly role: 'system' | 'user' | 'assistant' | 'reasoning'; readonly text: string }
  | { readonly role: 'call'; readonly id: string; readonly name: string; readonly input: Value }
  | { readonly role: 'result'; readonly id: string; readonly text: string }

/** A tool in a request. */
export interface OfferedTool {
  /** Prefixed with the name of its group if the wire format has groups: `group__name`. */
  readonly name: string
  readonly description: string
  /** The JSON Schema of its input; absent for a tool that takes plain text, and for the description of a group. */
  readonly schema?: Value
  /** The group of the tool, for wire formats that name it separately. */
  readonly group?: string
}

/** The tool choice: any tool, none, or one by its name. */
export type ToolChoice = 'auto' | 'none' | 'required' | { readonly name: string }

/** A request in the common form. */
export interface ModelRequest {
  readonly model?: string
  readonly messages: readonly PromptMessage[]
  readonly tools: readonly OfferedTool[]
  readonly choice: ToolChoice
  /** The JSON Schema of the answer. */
  readonly answerSchema?: Value
  readonly streamed: boolean
}

/** A call to a tool in an answer. */
export interface AnswerCall {
  readonly id: string
  readonly name: string
  readonly group?: string
  /** The arguments; a text if they are not JSON. */
  readonly input: Value
}

/** The end of an answer. Only `complete` answers were not cut off. */
export interface Finish {
  readonly kind: 'complete' | 'cut' | 'filtered' | 'error' | 'unknown'
  /** The finish reason of the provider, if any. */
  readonly word?: string
}

/** Token counts as reported by the provider. */
export interface Usage {
  readonly input?: number
  readonly output?: number
  /** Input tokens that came from the provider's cache. */
  readonly cached?: number
}

/** An answer in the common form. */
export interface ModelAnswer {
  readonly text: string
  readonly calls: readonly AnswerCall[]
  readonly finish: Finish
  readonly usage?: Usage
  /** The message of an error. */
  readonly error?: string
}

/** A model call in the common form. */
export interface ModelCall extends ModelRequest {
  readonly wire: Wire
  readonly sequence: number
  readonly path: string
  /**
   * The decoded request body, with the items of earlier responses of the run in place of references to them; absent if it
   * was not recorded or is not readable.
   */
  readonly body?: Value
  readonly answer: { readonly text: string; readonly calls: readonly AnswerCall[] }
  readonly finish: Finish
  readonly usage?: Usage
  readonly error?: string
  /** The status of the answer; absent without an answer. */
  readonly status?: number
  readonly started: number
  readonly first?: number
  readonly duration: number
  readonly diagnostics: readonly ModelDiagnostic[]
}
