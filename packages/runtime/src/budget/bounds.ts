/** Single limits: where they come from, when they refuse, and the failure they end in. */
import type { Budget, RunLimits } from '@joust/agentformat'
import { RunFailure } from '../model/errors.ts'

/** The limits of a document, a governance policy or a host, without their grouping. */
export type LimitValues = Budget & RunLimits

/** The name of a limit. */
export type LimitName = keyof LimitValues

/** Limits from one place. */
export interface LimitLayer {
  /** How findings name the place, for example `constraints`. */
  readonly source: string
  /** Whether it is the document's own: the only kind that `tighten_only_invariant: false` lifts. */
  readonly own: boolean
  readonly values: LimitValues
}

/** One limit of one agent, and how much of it was used. */
export interface Bound {
  readonly name: LimitName
  readonly max: number
  /** The path to the limit in the place it comes from. */
  readonly path: string
  readonly own: boolean
  /** Aliases from the root to the agent that set it. */
  readonly owner: readonly string[]
  readonly startedAt: number
  /** Tokens or calls so far. */
  used: number
  /** Fires when the limit is passed while work is under way. */
  readonly stop: AbortController
}

/** Every limit of the format, and the group that it is in. */
export const limitGroups: Readonly<Record<LimitName, 'budget' | 'limits'>> = {
  max_token_usage: 'budget',
  max_duration_seconds: 'budget',
  max_llm_calls: 'limits',
  max_tool_calls: 'limits',
  max_delegation_depth: 'limits',
}

/** Every limit of the format. */
// The type of the table has no other keys.
export const limitNames = Object.keys(limitGroups) as LimitName[]

/** The limits of a layer, with deadlines that count from a given time. An absent limit means no limit; zero is zero. */
export function boundsOf(layer: LimitLayer, owner: readonly string[], startedAt: number): Bound[] {
  return limitNames.flatMap((name) => {
    const max = layer.values[name]
    if (max === undefined) return []
    const path = `${layer.source}.${limitGroups[name]}.${name}`
    return [{ name, max, path, own: layer.own, owner, startedAt, used: 0, stop: new AbortController() }]
  })
}

/** How much of a limit was used: tokens, calls, seconds, or levels below its owner. */
export function usedOf(bound: Bound, agent: readonly string[], now: number): number {
  if (bound.name === 'max_duration_seconds') return (now - bound.startedAt) / 1000
  if (bound.name === 'max_delegation_depth') return agent.length - bound.owner.length
  return bound.used
}

/** The failure of an agent that ran into a limit. */
export function limitFailure(bound: Bound, agent: readonly string[], now: number): RunFailure {
  const used = usedOf(bound, agent, now)
  const message = `${bound.path} is reached: ${used} of ${bound.max} used`
  const details = { limit: bound.path, max: bound.max, used, at: [...agent] }
  return new RunFailure({ code: 'limit_exceeded', message, agent: bound.owner, details })
}
