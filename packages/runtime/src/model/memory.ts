/** Memory across runs. */
import type { Value } from '@joust/source'

/** An agent's input and output in an earlier run, or earlier in this run. */
export interface MemoryTurn {
  /** The agent's `metadata.id`. */
  readonly agent: string
  readonly input: Value
  readonly output: Value
}

/**
 * A store of turns by scope. A scope is an opaque, non-empty string chosen by the agent's caller.
 *
 * @example
 * // Do not store turns that contain the password.
 * const memory = createInMemory()
 * const runtime = createRuntime({
 *   memory: {
 *     recall: (scope) => memory.recall(scope),
 *     remember: (scope, turn) =>
 *       JSON.stringify(turn).includes(password) ? undefined : memory.remember(scope, turn),
 *   },
 * })
 */
export interface MemoryProvider {
  recall(scope: string): Promise<readonly MemoryTurn[]> | readonly MemoryTurn[]
  remember(scope: string, turn: MemoryTurn): Promise<void> | void
  /** Releases connections. Called when the runtime is closed. */
  close?(): Promise<void> | void
}

export interface MemoryContext {
  readonly scope: string
  readonly provider: MemoryProvider
}
