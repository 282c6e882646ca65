/** Calls to tools of the user's real servers (`--through`). */

/** Answers to such a call: of the real server, of the document, recorded earlier, or made from the output schema. */
export const throughAnswers = ['server', 'document', 'recording', 'schema'] as const

/** Calls of one tool that were decided alike. */
export interface ThroughCall {
  readonly server: string
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
  /** Set if such a call may have changed something on the real server. */
  readonly may_change?: true
}
