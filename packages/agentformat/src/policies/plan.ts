/** What a policy will do, as far as its configuration tells: who runs, fed by what, in which order. */
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
  /** Where the alias is in the document. */
  readonly path: Path
  /** Absent: the sub-agent gets the parent's whole input. */
  readonly mapping?: InputMapping
  readonly mappingPath: Path
}

/** A condition whose keys are path expressions. */
export interface PlannedCondition {
  readonly condition: Conditions
  readonly path: Path
  readonly place: 'when' | 'exit_condition'
}

/** How the sub-agents run: one after the other, again and again, side by side, one of them, one per item. */
export type PlanOrder = 'sequence' | 'loop' | 'together' | 'choice' | 'items'

/** Where the result of a policy comes from, whichever form it was written in. */
export type OutputSelection =
  | { readonly kind: 'strategy'; readonly strategy: OutputStrategy }
  | { readonly kind: 'agent'; readonly alias: string }
  | { readonly kind: 'custom_transform'; readonly name: string }

/** The plan of a standard policy. */
export interface PolicyPlan {
  readonly policy: StandardPolicyId
  readonly order: PlanOrder
  readonly delegations: readonly Delegation[]
  readonly conditions: readonly PlannedCondition[]
  /** Where the result comes from; absent where the policy leaves no choice. */
  readonly output?: { readonly from: OutputSelection; readonly path: Path }
}

/** Tells whether an alias has run before the delegation at a place in the list (P-03, OPEN-12). */
export function finishedBefore(plan: PolicyPlan): (alias: string, index: number) => boolean {
  const first = new Map<string, number>()
  if (plan.order !== 'sequence' && plan.order !== 'loop') return () => false
  for (const [index, { alias }] of plan.delegations.entries()) if (!first.has(alias)) first.set(alias, index)
  return (alias, index) => (first.get(alias) ?? index) < index
}

/** Whether the result of a policy is what its sub-agents give, merged. */
export function isMerge(plan: PolicyPlan | undefined): boolean {
  const from = plan?.output?.from
  return from?.kind === 'strategy' && from.strategy === 'merge'
}

/** Reads `output_from`. As a string the three strategies come before aliases. */
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
