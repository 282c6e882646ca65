/** Who is attacked. */
import type { Connect } from './wiring.ts'

/** Something that can be attacked: started once all server actors listen, stopped after the grace period. */
export interface Target {
  /** How it is named in results. */
  readonly name: string
  /** Starts it; rejects with an `ArenaError` that says what is missing. */
  start(arena: TargetArena): Promise<TargetSession>
}

/** What a target gets to know of a run. */
export interface TargetArena {
  readonly servers: readonly { readonly actor: string; readonly mode: string; readonly address: string }[]
  readonly clients: readonly { readonly actor: string; readonly mode: string }[]
  /** Fires when the run ends. */
  readonly signal: AbortSignal
}

/** A target that runs. */
export interface TargetSession {
  /** Where client actors find it, by actor. */
  readonly endpoints: Readonly<Record<string, Connect>>
  /**
   * Begins what the target does by itself, once every actor is active; resolves when that is over, rejects when it failed.
   * Absent when it only answers.
   */
  readonly turn?: () => Promise<void>
  /** Ends it. Never rejects. */
  stop(): Promise<void>
}
