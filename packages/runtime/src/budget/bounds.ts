/** Single limits, their sources, and the failure when one is reached. */
import type { Budget, RunLimits } from '@joust/agentformat'
import { RunFailure } from '../model/errors.ts'

/** Limits as one flat object, from a document, a governance policy or a host. */
export type LimitValues = Budget & RunLimits

export type LimitName = keyof LimitValues

export interface LimitLayer {
  /** The name of the source in messages, for example `constraints`. */
  readonly source: string
  /** True for limits set by the document; `tighten_only_invariant: false` applies only to these. */
  readonly own: boolean
  readonly values: LimitValues
}

/** A limit of one agent, and its usage. */
export interface Bound {
  readonly name: LimitName
  readonly max: number
  /** The path to the limit, starting with the name of the source. */
  readonly path: string
  readonly own: boolean
  /** Aliases from the root to the agent that the limit belongs to. */
  readonly owner: readonly string[]
  readonly startedAt: number
  /** Tokens or calls used. */
  used: number
  /** Aborted when the limit is exceeded during a call. */
  readonly stop: AbortController
}

/** All limits of Agent Format, each with its group. */
export const limitGroups: Readonly<Record<LimitName, 'budget' | 'limits'>> = {
  max_token_usage: 'budget',
  max_duration_seconds: 'budget',
  max_llm_calls: 'limits',
  max_tool_calls: 'limits',
  max_delegation_depth: 'limits',
}

// The table has no other keys.
export const limitNames = Object.keys(limitGroups) as LimitName[]

/** Returns the limits of a layer, with time limits relative to `startedAt`. An absent limit is unlimited. */
export function boundsOf(layer: LimitLayer, owner: readonly string[], startedAt: number): Bound[] {
  return limitNames.flatMap((name) => {
    const max = layer.values[name]
    if (max === undefined) return []
    const path = `${layer.source}.${limitGroups[name]}.${name}`
    return [{ name, max, path, own: layer.own, owner, startedAt, used: 0, stop: new AbortController() }]
  })
}

/** Returns the usage of a limit: tokens, calls, seconds, or delegation levels below its owner. */
export function usedOf(bound: Bound, agent: readonly string[], now: number): number {
  if (bound.name === 'max_duration_seconds') return (now - bound.startedAt) / 1000
  if (bound.name === 'max_delegation_depth') return agent.length - bound.owner.length
  return bound.used
}

export function limitFailure(bound: Bound, agent: readonly string[], now: number): RunFailure {
  const used = usedOf(bound, agent, now)
  const message = `limit ${bound.path} reached: ${used} of ${bound.max} used`
  const details = { limit: bound.path, max: bound.max, used, at: [...agent] }
  return new RunFailure({ code: 'limit_exceeded', message, agent: bound.owner, details })
}
