/** What a run used. */
export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly totalTokens: number
  /** Whether some of the tokens were estimated, because a provider reported none. */
  readonly estimated: boolean
  readonly modelCalls: number
  readonly toolCalls: number
  readonly durationMs: number
}

/** Tokens of one model call. */
export interface TokenUsage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly estimated: boolean
}
