/** The bounds of a suite, from the options of `joust run`. */
import { arenaLimits, type BudgetLimits } from '@joust/arena'
import type { RunOptions } from '../options/run.ts'

/** The bounds under the names that a suite uses. */
export interface SuitePlan {
  readonly trials: number
  readonly concurrency: number
  readonly retries: number
  readonly runMs: number | undefined
  readonly observeMs: number | undefined
  readonly graceMs: number | undefined
  readonly budget: BudgetLimits
}

/** The plan of a suite. */
export function planOf(options: RunOptions): SuitePlan {
  const { trials, concurrency, budgetTokens, budgetCalls, budgetTime } = options
  return {
    trials,
    concurrency: concurrency ?? arenaLimits.concurrency,
    retries: options.retries,
    runMs: options.maxDuration,
    observeMs: options.observe,
    graceMs: options.grace,
    budget: {
      ...(budgetTokens === undefined ? {} : { tokens: budgetTokens }),
      ...(budgetCalls === undefined ? {} : { calls: budgetCalls }),
      ...(budgetTime === undefined ? {} : { milliseconds: budgetTime }),
    },
  }
}
