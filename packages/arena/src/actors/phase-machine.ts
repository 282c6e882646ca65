/** How an actor goes through its phases (§5.2, §5.3): pure, time is passed in. */
import { evaluateTrigger, type PrimitiveOptions, type ProtocolEvent, parseDuration, type Trigger } from '@joust/oatf'
import type { FinishReason } from '../model/actor-outcome.ts'

/** What the machine knows about a document. */
export interface PhasePlan {
  /** The trigger of each phase; a phase without one is terminal. Never empty. */
  readonly triggers: readonly (Trigger | undefined)[]
  readonly role: 'server' | 'client'
  /** How long a terminal phase may last. */
  readonly limitMs: number
  /** How long a client that has sent everything waits for its trigger, unless `after` says otherwise. */
  readonly stallMs: number
}

/** Where an actor is. */
export interface PhaseState {
  readonly index: number
  readonly enteredAt: number
  /** Matching events in this phase. */
  readonly count: number
  /** When a client had sent all actions of the phase and received what they bring. */
  readonly actedAt?: number
  readonly finished?: FinishReason
}

/** What can happen to an actor. */
export type PhaseInput =
  /** An event that arrived in a phase; it counts only there. */
  | { readonly kind: 'event'; readonly at: number; readonly phase: number; readonly event: ProtocolEvent }
  /** Time has passed. */
  | { readonly kind: 'tick'; readonly at: number }
  /** A client has sent all actions of a phase and received what they bring. */
  | { readonly kind: 'acted'; readonly at: number; readonly phase: number }

/** What has to be done about it. */
type PhaseEffect =
  | { readonly kind: 'enter'; readonly index: number; readonly reason: 'event_matched' | 'timeout' }
  | { readonly kind: 'finish'; readonly reason: FinishReason }

/** A step: where the actor is now, what has to be done, and when time alone will matter next. */
export interface PhaseStep {
  readonly state: PhaseState
  readonly effects: readonly PhaseEffect[]
  readonly wakeAt?: number
}

/** The first phase, entered. */
export function startPhases(plan: PhasePlan, at: number): PhaseStep {
  return settled(plan, enter(0, at), [])
}

/** What an input does. An actor that has finished stays where it is: a server keeps serving its last phase. */
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
  if (actedAt !== undefined && trigger.after === undefined && input.at >= actedAt + plan.stallMs) {
    return finish(counted, 'stalled')
  }
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

/** When time alone changes something. */
function nextTime(plan: PhasePlan, state: PhaseState): number | undefined {
  const trigger = plan.triggers[state.index]
  if (trigger === undefined) return state.enteredAt + plan.limitMs
  if (trigger.after !== undefined) {
    const after = parseDuration(trigger.after)
    return after.ok ? state.enteredAt + after.value : undefined
  }
  return state.actedAt === undefined ? undefined : state.actedAt + plan.stallMs
}
