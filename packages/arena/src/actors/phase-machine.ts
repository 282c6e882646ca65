/** A pure state machine of an actor's phases ([OATF §5.2](https://oatf.io/specification/execution-profile/), §5.3). */
import { evaluateTrigger, type PrimitiveOptions, type ProtocolEvent, parseDuration, type Trigger } from '@joust/oatf'
import type { ActorOutcome } from '@joust/results'
import type { ArenaError } from '../model/errors.ts'

export interface PhasePlan {
  /** The trigger of each phase; a phase without a trigger is terminal. Never empty. */
  readonly triggers: readonly (Trigger | undefined)[]
  readonly role: 'server' | 'client'
  /** Time limit of a terminal phase. */
  readonly limitMs: number
  /** Time a client waits for its trigger after all responses, unless the trigger has `after`. */
  readonly stallMs: number
}

/** `triggered`: the last trigger fired. `done`: a client has no more actions. `expired`, `stalled`: time limits. */
export type FinishReason = 'triggered' | 'done' | 'expired' | 'stalled'

export interface PhaseState {
  readonly index: number
  readonly enteredAt: number
  readonly count: number
  /** The time when all actions of a client were answered. */
  readonly actedAt?: number
  readonly finished?: FinishReason
}

export type PhaseInput =
  /** An event counts only in the phase in which it arrived. */
  | { readonly kind: 'event'; readonly at: number; readonly phase: number; readonly event: ProtocolEvent }
  | { readonly kind: 'tick'; readonly at: number }
  | { readonly kind: 'acted'; readonly at: number; readonly phase: number }

type PhaseEffect =
  | { readonly kind: 'enter'; readonly index: number; readonly reason: 'event_matched' | 'timeout' }
  | { readonly kind: 'finish'; readonly reason: FinishReason }

export interface PhaseStep {
  readonly state: PhaseState
  readonly effects: readonly PhaseEffect[]
  readonly wakeAt?: number
}

export function startPhases(plan: PhasePlan, at: number): PhaseStep {
  return settled(plan, enter(0, at), [])
}

/** A finished actor stays in its phase: a server keeps serving the last phase. */
export function stepPhases(
  plan: PhasePlan,
  state: PhaseState,
  input: PhaseInput,
  options: PrimitiveOptions = {},
): PhaseStep {
  if (state.finished !== undefined) return { state, effects: [] }
  const here = 'phase' in input ? input.phase === state.index : true
  const acted = input.kind === 'acted' && here && state.actedAt === undefined ? { ...state, actedAt: input.at } : state
  const trigger = plan.triggers[state.index]
  if (trigger === undefined) return terminal(plan, acted, input.at)

  const counter = { event_count: state.count }
  const event = input.kind === 'event' && here ? input.event : undefined
  const result = evaluateTrigger(trigger, event, input.at - state.enteredAt, counter, options)
  const counted = { ...acted, count: counter.event_count }
  if (result.advanced) return advance(plan, counted, input.at, result.reason)
  const { actedAt } = counted
  if (actedAt !== undefined && trigger.after === undefined && input.at >= actedAt + plan.stallMs)
    return finish(counted, 'stalled')
  return settled(plan, counted, [])
}

function enter(index: number, at: number): PhaseState {
  return { index, enteredAt: at, count: 0 }
}

function terminal(plan: PhasePlan, state: PhaseState, at: number): PhaseStep {
  if (plan.role === 'client' && state.actedAt !== undefined) return finish(state, 'done')
  return at >= state.enteredAt + plan.limitMs ? finish(state, 'expired') : settled(plan, state, [])
}

function advance(plan: PhasePlan, state: PhaseState, at: number, reason: 'event_matched' | 'timeout'): PhaseStep {
  const index = state.index + 1
  if (index >= plan.triggers.length) return finish(state, 'triggered')
  return settled(plan, enter(index, at), [{ kind: 'enter', index, reason }])
}

function finish(state: PhaseState, reason: FinishReason): PhaseStep {
  return { state: { ...state, finished: reason }, effects: [{ kind: 'finish', reason }] }
}

function settled(plan: PhasePlan, state: PhaseState, effects: readonly PhaseEffect[]): PhaseStep {
  const wakeAt = nextTime(plan, state)
  return { state, effects, ...(wakeAt === undefined ? {} : { wakeAt }) }
}

function nextTime(plan: PhasePlan, state: PhaseState): number | undefined {
  const trigger = plan.triggers[state.index]
  if (trigger === undefined) return state.enteredAt + plan.limitMs
  if (trigger.after !== undefined) {
    const after = parseDuration(trigger.after)
    return after.ok ? state.enteredAt + after.value : undefined
  }
  return state.actedAt === undefined ? undefined : state.actedAt + plan.stallMs
}

export function statusOf(
  role: 'server' | 'client',
  finished: FinishReason | undefined,
  failure: ArenaError | undefined,
): ActorOutcome['status'] {
  if (failure !== undefined) return 'failed'
  if (finished === 'expired' || finished === 'stalled') return finished
  if (finished !== undefined) return 'finished'
  return role === 'server' ? 'serving' : 'stopped'
}
