/** Memory across runs. */
import type { Value } from '@joust/source'

/** Input and output of an agent, in an earlier run or earlier in this run. */
export interface MemoryTurn {
  /**
   * The `metadata.id` of the agent.
   */
  readonly agent: string
  readonly input: Value
  readonly output: Value
}

/**
 * Stores turns by scope: an opaque, non-empty string that the caller of an agent passes.
 *
 * @example
 * // Forgets everything that mentions the password.
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
  /** Releases connections; called when the runtime is closed. */
  close?(): Promise<void> | void
}

/** The memory of one agent in one run. */
export interface MemoryContext {
  readonly scope: string
  readonly provider: MemoryProvider
}
