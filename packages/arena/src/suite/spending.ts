/** What models take over many suites, against one budget. */
import { type Clock, systemClock } from '@joust/io'
import type { Redacted } from '../model/redacted.ts'
import { withStop } from '../results/join.ts'
import type { ModelCost, Results } from '../results/model.ts'
import type { BudgetLimits, CallUsage } from './budget.ts'

/** What models took: those of the agent and the attacker's. */
export interface Cost {
  readonly agent: ModelCost
  readonly attacker: ModelCost
}

/** Counts what all suites and an attacker take. */
interface Spending {
  /** To be told of every call of an attacker. */
  attacker(usage: CallUsage): void
  /** Why nothing more may be spent; undefined while something may. */
  exhausted(): string | undefined
  cost(): Cost
  /** Runs batches within what is left for them, and counts what they take. */
  metered<Batch>(run: RunWithin<Batch>): (batch: Batch) => Promise<Redacted<Results>>
}

/** Runs attacks within a budget. */
export type RunWithin<Batch> = (batch: Batch, left: BudgetLimits) => Promise<Redacted<Results>>

/** Begins to count. */
export function createSpending(budget: BudgetLimits = {}, clock: Pick<Clock, 'now'> = systemClock): Spending {
  const { tokens, calls, milliseconds } = budget
  const startedAt = clock.now()
  const agent = { calls: 0, tokens: 0 }
  const attacker = { calls: 0, tokens: 0 }
  const used = () => ({ tokens: agent.tokens + attacker.tokens, calls: agent.calls + attacker.calls })
  const passed = () => clock.now() - startedAt
  const count = (results: Results) => {
    for (const { usage } of results.targets.flatMap((one) => one.attacks.flatMap(({ trials }) => trials))) {
      agent.calls += usage?.calls ?? 0
      agent.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
    }
  }
  const exhausted = () => {
    if (tokens !== undefined && used().tokens >= tokens) return `the budget of ${tokens} tokens is used up`
    if (calls !== undefined && used().calls >= calls) return `the budget of ${calls} model calls is used up`
    if (milliseconds !== undefined && passed() >= milliseconds)
      return `the budget of ${milliseconds / 1000} s is used up`
    return undefined
  }
  const left = (): BudgetLimits => ({
    ...(tokens === undefined ? {} : { tokens: Math.max(1, tokens - used().tokens) }),
    ...(calls === undefined ? {} : { calls: Math.max(1, calls - used().calls) }),
    ...(milliseconds === undefined ? {} : { milliseconds: Math.max(1, milliseconds - passed()) }),
  })
  return {
    attacker({ inputTokens, outputTokens }) {
      attacker.calls += 1
      attacker.tokens += inputTokens + outputTokens
    },
    exhausted,
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
