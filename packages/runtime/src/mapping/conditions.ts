/** Conditions of policies: their keys are path expressions (OPEN-19, OPEN-20). */
import { type Conditions, type Lookup, matchCondition, resolveExpression, type SourceLookup } from '@joust/agentformat'
import type { AgentContext } from '../context/agent-context.ts'
import { RunFailure } from '../model/errors.ts'

/** Whether a condition holds. A path that no schema declares and no value has is a failure (P-05). */
export function conditionHolds(condition: Conditions, sources: SourceLookup, context: AgentContext): boolean {
  const outcome = matchCondition(condition, (key) => lookUp(key, sources, context.path))
  for (const { key, reason } of outcome.unevaluable) context.warn('condition_unevaluable', `${key}: ${reason}`)
  return outcome.matched
}

function lookUp(key: string, sources: SourceLookup, agent: readonly string[]): ReturnType<Lookup> {
  const outcome = resolveExpression(key, sources)
  if (outcome.kind === 'found') return { found: true, value: outcome.value }
  if (outcome.kind === 'absent') return { found: false }
  throw new RunFailure({ code: outcome.code, message: outcome.message, agent })
}
