/** What a whole suite may cost. */
import type { EventListener } from '@joust/runtime'
import type { SuitePlan } from './plan.ts'

/** Watches what runs use, and says when it is enough. */
export interface Budget {
  /** To be told of what the agent's runtime does. */
  readonly onEvent: EventListener
  /** To be told of a call that no runtime makes. */
  spend(usage: { readonly inputTokens: number; readonly outputTokens: number }): void
  /** Why the suite has to stop; undefined while it may go on. */
  exceeded(): string | undefined
  /** How much was used. */
  used(): { readonly tokens: number; readonly calls: number }
  end(): void
}

/** Begins to count; `stop` is called once, when a budget is used up. */
export function createBudget(plan: SuitePlan, stop: () => void): Budget {
  let tokens = 0
  let calls = 0
  let reason: string | undefined
  const exceed = (why: string) => {
    if (reason !== undefined) return
    reason = why
    stop()
  }
  const { budgetTokens = Number.POSITIVE_INFINITY, budgetCalls = Number.POSITIVE_INFINITY, budgetMs } = plan
  const late = () => exceed(`--budget-time of ${(budgetMs ?? 0) / 1000} s is used up`)
  const timer = budgetMs === undefined ? undefined : setTimeout(late, budgetMs)
  const spend: Budget['spend'] = ({ inputTokens, outputTokens }) => {
    calls += 1
    tokens += inputTokens + outputTokens
    if (tokens >= budgetTokens) exceed(`--budget-tokens ${budgetTokens} is used up (${tokens} tokens)`)
    else if (calls >= budgetCalls) exceed(`--budget-calls ${budgetCalls} is used up`)
  }
  return {
    spend,
    onEvent: (event) => event.type === 'model-answered' && spend(event.usage),
    exceeded: () => reason,
    used: () => ({ tokens, calls }),
    end: () => clearTimeout(timer),
  }
}
