/** How actors fare. */
import type { ArenaError } from './errors.ts'

/**
 * `finished`: a client did everything, or the last trigger fired. `serving`: a server was there until the end.
 * `expired` and `stalled`: a time limit ended it. `failed`: it could not reach its peer. `stopped`: the run ended before
 * a client was done. `skipped`: the mode is not supported.
 */
export const actorStatuses = ['finished', 'serving', 'expired', 'stalled', 'failed', 'stopped', 'skipped'] as const

/** Why a phase began. */
export const phaseReasons = ['start', 'event_matched', 'timeout'] as const

/** How an actor fared. */
export interface ActorOutcome {
  readonly name: string
  readonly mode: string
  readonly status: (typeof actorStatuses)[number]
  /** Where it listened. */
  readonly address?: string
  /** The phases it went through. */
  readonly phases: readonly PhaseVisit[]
  /** How many of its phases it never reached. */
  readonly unreached?: number
  readonly error?: string
}

/** When and why a phase began. */
export interface PhaseVisit {
  readonly phase: string
  /** Milliseconds since the run began. */
  readonly elapsed_ms: number
  readonly reason: (typeof phaseReasons)[number]
}

/** Why nothing more happens: the last trigger fired, a client was done, or a time limit was reached. */
export type FinishReason = 'triggered' | 'done' | 'expired' | 'stalled'

/** The status of an actor, by how its phases ended and whether it failed. */
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
