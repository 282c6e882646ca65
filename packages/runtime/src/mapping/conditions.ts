/** Policy conditions with path expressions as keys (decision 0019, OPEN-19, OPEN-20). */
import { type Conditions, type Lookup, matchCondition, resolveExpression, type SourceLookup } from '@joust/agentformat'
import type { AgentContext } from '../context/agent-context.ts'
import { RunFailure } from '../model/errors.ts'

/** Evaluates a condition. Throws for a path that neither a schema nor a value contains (P-05). */
export function conditionHolds(condition: Conditions, sources: SourceLookup, context: AgentContext): boolean {
  const outcome = matchCondition(condition, (key) => lookUp(key, sources, context.path))
  for (const { key, reason } of outcome.unevaluable) context.warn('condition_unevaluable', `${key}: ${reason}`)
  return outcome.matched
}

function lookUp(key: string, sources: SourceLookup, agent: readonly string[]): ReturnType<Lookup> {
  const outcome = resolveExpression(key, sources)
  if (outcome.ok) return outcome.value
  throw new RunFailure({ ...outcome.error, agent })
}
