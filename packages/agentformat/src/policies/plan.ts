import type { Path } from '@joust/source'
import type { Conditions } from '../model/condition.ts'
import {
  type InputMapping,
  type OutputFrom,
  type OutputStrategy,
  outputStrategies,
  type StandardPolicyId,
} from '../model/policy.ts'

/** A sub-agent that a policy runs. */
export interface Delegation {
  readonly alias: string
  /** The path of the alias in the document. */
  readonly path: Path
  /** If this is not set, the sub-agent receives the parent's whole input. */
  readonly mapping?: InputMapping
  readonly mappingPath: Path
}

/** A condition whose keys are path expressions. */
export interface PlannedCondition {
  readonly condition: Conditions
  readonly path: Path
  readonly place: 'when' | 'exit_condition'
}

/** The order of the sub-agents: in sequence, in a loop, in parallel, one of several, or once per item. */
export type PlanOrder = 'sequence' | 'loop' | 'together' | 'choice' | 'items'

/** The source of a policy's result, independent of its notation. */
export type OutputSelection =
  | { readonly kind: 'strategy'; readonly strategy: OutputStrategy }
  | { readonly kind: 'agent'; readonly alias: string }
  | { readonly kind: 'custom_transform'; readonly name: string }

/** The static plan of a standard policy: its sub-agents, their inputs and their order. */
export interface PolicyPlan {
  readonly policy: StandardPolicyId
  readonly order: PlanOrder
  readonly delegations: readonly Delegation[]
  readonly conditions: readonly PlannedCondition[]
  /** Undefined for policies without `output_from`. */
  readonly output?: { readonly from: OutputSelection; readonly path: Path }
}

/** Returns a test for aliases that have run before the delegation at an index (Agent Format P-03, OPEN-12). */
export function finishedBefore(plan: PolicyPlan): (alias: string, index: number) => boolean {
  const first = new Map<string, number>()
  if (plan.order !== 'sequence' && plan.order !== 'loop') return () => false
  for (const [index, { alias }] of plan.delegations.entries()) if (!first.has(alias)) first.set(alias, index)
  return (alias, index) => (first.get(alias) ?? index) < index
}

/** True if the policy merges the outputs of its sub-agents. */
export function isMerge(plan: PolicyPlan | undefined): boolean {
  const from = plan?.output?.from
  return from?.kind === 'strategy' && from.strategy === 'merge'
}

/**
 * Parses `output_from`. In the string form, strategies take precedence over aliases.
 *
 * @example
 * const selection = selectOutput('last', 'last')
 */
export function selectOutput(from: OutputFrom | undefined, fallback: OutputStrategy): OutputSelection {
  if (from === undefined) return { kind: 'strategy', strategy: fallback }
  if (typeof from === 'string') {
    const strategy = outputStrategies.find((name) => name === from)
    return strategy === undefined ? { kind: 'agent', alias: from } : { kind: 'strategy', strategy }
  }
  if (from.agent !== undefined) return { kind: 'agent', alias: from.agent }
  if (from.custom_transform !== undefined) return { kind: 'custom_transform', name: from.custom_transform }
  return { kind: 'strategy', strategy: from.strategy ?? fallback }
}
