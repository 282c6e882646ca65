/**
 * `finished`: a client performed all of its actions, or the last trigger fired. `serving`: a server listened until the
 * end of the run. `expired` and `stalled`: timeouts. `failed`: the peer could not be reached. `stopped`: the run ended
 * before the client had finished. `skipped`: the mode is not supported.
 */
export const actorStatuses = ['finished', 'serving', 'expired', 'stalled', 'failed', 'stopped', 'skipped'] as const

/** Reasons for entering a phase. */
export const phaseReasons = ['start', 'event_matched', 'timeout'] as const

export interface ActorOutcome {
  readonly name: string
  readonly mode: string
  readonly status: (typeof actorStatuses)[number]
  readonly address?: string
  /** Entered phases, in order. */
  readonly phases: readonly PhaseVisit[]
  /** Number of phases that were never entered. */
  readonly unreached?: number
  readonly error?: string
}

export interface PhaseVisit {
  readonly phase: string
  /** Milliseconds since the start of the run. */
  readonly elapsed_ms: number
  readonly reason: (typeof phaseReasons)[number]
}
