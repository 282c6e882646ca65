/** What a suite may cost, and what many suites of one search may cost together. */

import { systemClock } from '@joust/io'
import { defined } from '@joust/source'
import type { CallUsage } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import { withStop } from '../results/join.ts'
import type { ModelCost, Results } from '../results/model.ts'
import { costOf, trialsOf } from '../results/summary.ts'

/** Bounds; what is not given is not bounded. */
export interface BudgetLimits {
  readonly tokens?: number
  readonly calls?: number
  readonly milliseconds?: number
}

/** Watches what runs use, and says when it is enough. */
export interface Budget {
  /** To be called for every call of a model. */
  spend(usage: CallUsage): void
  /** Why the suite has to stop; undefined while it may continue. */
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

/** What models used: those of the agent and the attacker's. */
export interface Cost {
  readonly agent: ModelCost
  readonly attacker: ModelCost
}

/** Counts what all suites and an attacker use. */
interface Spending {
  /** To be called for every call of an attacker. */
  attacker(usage: CallUsage): void
  /** Why nothing more may be spent; undefined as long as something may. */
  exhausted(): string | undefined
  /** Why a search must not continue: the budget, or an interruption. */
  halted(): string | undefined
  cost(): Cost
  /** Runs batches within what is left for them, and counts what they use. */
  metered<Batch>(run: RunWithin<Batch>): (batch: Batch) => Promise<Redacted<Results>>
}

/** Runs attacks within a budget. */
export type RunWithin<Batch> = (batch: Batch, left: BudgetLimits) => Promise<Redacted<Results>>

/** Begins to count. */
export function createSpending(budget: BudgetLimits = {}, signal?: AbortSignal): Spending {
  const { tokens, calls, milliseconds } = budget
  const startedAt = systemClock.now()
  const agent = { calls: 0, tokens: 0 }
  const attacker = { calls: 0, tokens: 0 }
  const used = () => ({ tokens: agent.tokens + attacker.tokens, calls: agent.calls + attacker.calls })
  const passed = () => systemClock.now() - startedAt
  const count = (results: Results) => {
    const { calls, tokens } = costOf(trialsOf(results))
    agent.calls += calls
    agent.tokens += tokens
  }
  const exhausted = () => {
    if (tokens !== undefined && used().tokens >= tokens) return `the budget of ${tokens} tokens is used up`
    if (calls !== undefined && used().calls >= calls) return `the budget of ${calls} model calls is used up`
    if (milliseconds !== undefined && passed() >= milliseconds)
      return `the budget of ${milliseconds / 1000} s is used up`
    return undefined
  }
  const rest = (limit: number | undefined, taken: number) =>
    limit === undefined ? undefined : Math.max(1, limit - taken)
  const left = (): BudgetLimits =>
    defined({
      tokens: rest(tokens, used().tokens),
      calls: rest(calls, used().calls),
      milliseconds: rest(milliseconds, passed()),
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
      const results = await run(batch, left())
      count(results)
      // A batch knows only what was left for it.
      const message = results.stopped?.reason === 'budget' ? exhausted() : undefined
      return message === undefined ? results : withStop(results, 'budget', message)
    },
  }
}
