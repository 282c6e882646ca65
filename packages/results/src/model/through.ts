/** Calls to tools on the user's real servers (`--through`), and reads of their resources and prompts. */

/** Origins of a response: the real server, the document, a recording, a harmless result or an error. */
export const throughAnswers = ['server', 'document', 'recording', 'schema', 'error'] as const

/** Requests for a resource or prompt. */
export const throughReads = ['resources/read', 'resources/subscribe', 'resources/unsubscribe', 'prompts/get'] as const

/** Calls to one tool, or reads of one resource or prompt, with the same decision. */
export interface ThroughCall {
  readonly server: string
  /** The method of the requests. Absent for `tools/call`. */
  readonly method?: (typeof throughReads)[number]
  /** Name of the tool or prompt, or URI of the resource. */
  readonly tool: string
  /** `passed`: sent to the real server. `held`: not sent. */
  readonly decision: 'passed' | 'held'
  readonly answer: (typeof throughAnswers)[number]
  /** Reason for the decision, as a clause. */
  readonly reason: string
  readonly calls: number
  /** Number of responses into which text from the document was inserted. */
  readonly overlaid?: number
  /** Number of calls without a result, because of an error, a timeout or a lost server. */
  readonly failed?: number
  /** True if a call without a result may have changed something on the real server. */
  readonly may_change?: true
}
