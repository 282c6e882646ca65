/** Conditions of policies: their keys are path expressions (OPEN-19, OPEN-20). */
import {
  type Conditions,
  declaresPath,
  matchCondition,
  parsePathExpression,
  resolvePath,
  type SourceLookup,
} from '@joust/agentformat'
import type { Value } from '@joust/source'
import type { AgentContext } from '../context/agent-context.ts'
import { RunFailure } from '../model/errors.ts'

/** Whether a condition holds. A path that no schema declares and no value has is a failure (P-05). */
export function conditionHolds(condition: Conditions, sources: SourceLookup, context: AgentContext): boolean {
  const outcome = matchCondition(condition, (key) => lookUp(key, sources, context.path))
  for (const { key, reason } of outcome.unevaluable) context.warn('condition_unevaluable', `${key}: ${reason}`)
  return outcome.matched
}

type Found = { readonly found: true; readonly value: Value } | { readonly found: false }

function lookUp(key: string, sources: SourceLookup, agent: readonly string[]): Found {
  const parsed = parsePathExpression(key)
  if (!parsed.ok) throw new RunFailure({ code: 'invalid_path_expression', message: parsed.error.message, agent })
  const { source, direction, segments } = parsed.value
  const found = sources(source, direction)
  if (found === undefined) {
    throw new RunFailure({ code: 'dependency_order', message: `${key}: ${source} has not run`, agent })
  }
  const outcome = resolvePath(parsed.value, found.value, declaresPath(found.schema, segments))
  if (outcome.kind === 'error') throw new RunFailure({ code: outcome.code, message: outcome.message, agent })
  return outcome.kind === 'found' ? { found: true, value: outcome.value } : { found: false }
}
