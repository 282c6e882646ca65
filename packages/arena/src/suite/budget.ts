/** What a whole suite may cost. */

/** Bounds; what is not given is not bounded. */
export interface BudgetLimits {
  readonly tokens?: number
  readonly calls?: number
  readonly milliseconds?: number
}

/** What one call of a model took. */
export interface CallUsage {
  readonly inputTokens: number
  readonly outputTokens: number
}

/** Watches what runs use, and says when it is enough. */
export interface Budget {
  /** To be told of every call of a model. */
  spend(usage: CallUsage): void
  /** Why the suite has to stop; undefined while it may go on. */
  exceeded(): string | undefined
  end(): void
}

/** Begins to count; `stop` is called once, when a bound is reached. */
export function createBudget(limits: BudgetLimits, stop: () => void): Budget {
  const { tokens: mostTokens = Number.POSITIVE_INFINITY, calls: mostCalls = Number.POSITIVE_INFINITY } = limits
  const { milliseconds } = limits
  let tokens = 0
  let calls = 0
  let reason: string | undefined
  const exceed = (why: string) => {
    if (reason !== undefined) return
    reason = why
    stop()
  }
  const late = () => exceed(`the budget of ${(milliseconds ?? 0) / 1000} s is used up`)
  const timer = milliseconds === undefined ? undefined : setTimeout(late, milliseconds)
  return {
    spend({ inputTokens, outputTokens }) {
      calls += 1
      tokens += inputTokens + outputTokens
      if (tokens >= mostTokens) exceed(`the budget of ${mostTokens} tokens is used up (${tokens})`)
      else if (calls >= mostCalls) exceed(`the budget of ${mostCalls} model calls is used up`)
    },
    exceeded: () => reason,
    end: () => clearTimeout(timer),
  }
}
