/** What models take over many suites, against one budget. */
import type { BudgetLimits, CallUsage, ModelCost, Results } from '@joust/arena'

/** What models took: those of the agent and the attacker's. */
export interface Cost {
  readonly agent: ModelCost
  readonly attacker: ModelCost
}

/** Counts what all suites and an attacker take. */
export function createLedger({ tokens, calls, milliseconds }: BudgetLimits) {
  const startedAt = Date.now()
  const agent = { calls: 0, tokens: 0 }
  const attacker = { calls: 0, tokens: 0 }
  const used = () => ({ tokens: agent.tokens + attacker.tokens, calls: agent.calls + attacker.calls })
  return {
    agent(results: Results) {
      for (const { usage } of results.targets.flatMap((one) => one.attacks.flatMap(({ trials }) => trials))) {
        agent.calls += usage?.calls ?? 0
        agent.tokens += (usage?.input_tokens ?? 0) + (usage?.output_tokens ?? 0)
      }
    },
    attacker({ inputTokens, outputTokens }: CallUsage) {
      attacker.calls += 1
      attacker.tokens += inputTokens + outputTokens
    },
    exhausted(): string | undefined {
      if (tokens !== undefined && used().tokens >= tokens) return `the budget of ${tokens} tokens is used up`
      if (calls !== undefined && used().calls >= calls) return `the budget of ${calls} model calls is used up`
      if (milliseconds !== undefined && Date.now() - startedAt >= milliseconds)
        return `the budget of ${milliseconds / 1000} s is used up`
      return undefined
    },
    left: (): BudgetLimits => ({
      ...(tokens === undefined ? {} : { tokens: Math.max(1, tokens - used().tokens) }),
      ...(calls === undefined ? {} : { calls: Math.max(1, calls - used().calls) }),
      ...(milliseconds === undefined ? {} : { milliseconds: Math.max(1, milliseconds - (Date.now() - startedAt)) }),
    }),
    cost: (): Cost => ({ agent: { ...agent }, attacker: { ...attacker } }),
  }
}
