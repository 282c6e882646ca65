/** Calls to tools of the user's real servers (`--through`), and reads of their resources and prompts. */

/** Answers to such a call: of the real server, of the document, recorded earlier, a harmless result, or an error. */
export const throughAnswers = ['server', 'document', 'recording', 'schema', 'error'] as const

/** Requests besides tool calls that name a resource or prompt of a server. */
export const throughReads = ['resources/read', 'resources/subscribe', 'resources/unsubscribe', 'prompts/get'] as const

/** Calls to one tool, or reads of one resource or prompt, with the same decision. */
export interface ThroughCall {
  readonly server: string
  /** The method; absent for `tools/call`. */
  readonly method?: (typeof throughReads)[number]
  /** The name of the tool or the prompt, or the URI of the resource. */
  readonly tool: string
  /** `passed`: the call reached the real server. `held`: it did not. */
  readonly decision: 'passed' | 'held'
  readonly answer: (typeof throughAnswers)[number]
  /** The reason for the decision, as a clause. */
  readonly reason: string
  /** The number of calls. */
  readonly calls: number
  /** The number of answers into which the document laid a text. */
  readonly overlaid?: number
  /** The number of calls without a result: errors, timeouts, a lost server. */
  readonly failed?: number
  /** True if such a call may have changed something on the real server. */
  readonly may_change?: true
}
