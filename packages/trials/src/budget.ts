/** Budgets for a single suite, and for all suites in a search. */

import type { CallUsage } from '@joust/arena'
import { systemClock } from '@joust/io'
import type { ModelCost, Redacted, Results } from '@joust/results'
import { costOf, trialsOf, withStop } from '@joust/results'
import { defined } from '@joust/source'

/**
 * Limits of a budget. A field that is not set means no limit.
 *
 * @example
 * const suite = runSuite([{ file: 'a', attack }], { run: () => ({ target }), budget: { tokens: 100_000, milliseconds: 600_000 } })
 */
export interface BudgetLimits {
  /** @default unlimited */
  readonly tokens?: number
  /** @default unlimited */
  readonly calls?: number
  /** @default unlimited */
  readonly milliseconds?: number
}

interface Budget {
  /** Must be called for every model call. */
  spend(usage: CallUsage): void
  /** Returns a message about the limit that was reached; undefined if no limit has been reached. */
  exceeded(): string | undefined
  end(): void
}

/** Creates a budget and starts its timer. `stop` is called once, at the first limit. */
export function createBudget(limits: BudgetLimits, stop: () => void): Budget {
  const { tokens: mostTokens = Number.POSITIVE_INFINITY, calls: mostCalls = Number.POSITIVE_INFINITY } = limits
  const { milliseconds } = limits
  let tokens = 0
  let calls = 0
  let reason: string | undefined
  const exceed = (message: string) => {
    if (reason !== undefined) return
    reason = message
    stop()
  }
  const expire = () => exceed(`the budget of ${(milliseconds ?? 0) / 1000} s is used up`)
  const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds)
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

/** Model usage of the agent and of the attacker. */
export interface Cost {
  readonly agent: ModelCost
  readonly attacker: ModelCost
}

interface Spending {
  /** Must be called for every model call by the attacker. */
  attacker(usage: CallUsage): void
  /** Returns a message about the limit that was reached; undefined if no limit has been reached. */
  exhausted(): string | undefined
  /** Returns the reason to stop the search (a limit or an interruption); undefined to continue. */
  halted(): string | undefined
  cost(): Cost
  /** Wraps a function that runs a batch: passes it the remaining budget, and counts the usage of the batch. */
  metered<Batch>(run: RunWithin<Batch>): (batch: Batch) => Promise<Redacted<Results>>
}

/** A function that runs a batch of attacks within a budget. */
export type RunWithin<Batch> = (batch: Batch, budget: BudgetLimits) => Promise<Redacted<Results>>

export function createSpending(budget: BudgetLimits = {}, signal?: AbortSignal): Spending {
  const { tokens, calls, milliseconds } = budget
  const startedAt = systemClock.now()
  const agent = { calls: 0, tokens: 0 }
  const attacker = { calls: 0, tokens: 0 }
  const used = () => ({ tokens: agent.tokens + attacker.tokens, calls: agent.calls + attacker.calls })
  const elapsed = () => systemClock.now() - startedAt
  const exhausted = () => {
    if (tokens !== undefined && used().tokens >= tokens) return `the budget of ${tokens} tokens is used up`
    if (calls !== undefined && used().calls >= calls) return `the budget of ${calls} model calls is used up`
    if (milliseconds !== undefined && elapsed() >= milliseconds)
      return `the budget of ${milliseconds / 1000} s is used up`
    return undefined
  }
  const rest = (limit: number | undefined, usage: number) =>
    limit === undefined ? undefined : Math.max(1, limit - usage)
  const remaining = (): BudgetLimits =>
    defined({
      tokens: rest(tokens, used().tokens),
      calls: rest(calls, used().calls),
      milliseconds: rest(milliseconds, elapsed()),
    })
  return {
    attacker({ inputTokens, outputTokens }) {
      attacker.calls += 1
      attacker.tokens += inputTokens + outputTokens
    },
    exhausted,
    halted: () => (signal?.aborted ? 'the search was interrupted' : exhausted()),
    cost: () => ({ agent: { ...agent }, attacker: { ...attacker } }),
    metered: (run) => async (batch) => {
      const results = await run(batch, remaining())
      const spent = costOf(trialsOf(results))
      agent.calls += spent.calls
      agent.tokens += spent.tokens
      // The message of a batch contains only its own part of the budget.
      const message = results.stopped?.reason === 'budget' ? exhausted() : undefined
      return message === undefined ? results : withStop(results, 'budget', message)
    },
  }
}
