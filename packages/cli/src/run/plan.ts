/** The bounds of a suite, from the options of `joust run`. */
import { arenaLimits, type BudgetLimits } from '@joust/arena'
import { defined } from '@joust/source'
import type { RunOptions } from '../options/run.ts'

export type SuitePlan = Readonly<ReturnType<typeof planOf>>

/** The bounds under the names that a suite uses. */
export function planOf({ budgetTokens, budgetCalls, budgetTime, ...options }: RunOptions) {
  const budget: BudgetLimits = defined({ tokens: budgetTokens, calls: budgetCalls, milliseconds: budgetTime })
  return {
    trials: options.trials,
    concurrency: options.concurrency ?? arenaLimits.concurrency,
    retries: options.retries,
    runMs: options.maxDuration,
    replyMs: options.replyTimeout,
    observeMs: options.observe,
    graceMs: options.grace,
    budget,
  }
}
