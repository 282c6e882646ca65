/** Memory across runs. */
import type { Value } from '@joust/source'

/** What an agent was given and what it returned, in an earlier run or earlier in this one. */
export interface MemoryTurn {
  /** `metadata.id` of the agent. */
  readonly agent: string
  readonly input: Value
  readonly output: Value
}

/** Keeps turns by scope: an opaque, non-empty string that the user of an agent gives. */
export interface MemoryProvider {
  recall(scope: string): Promise<readonly MemoryTurn[]> | readonly MemoryTurn[]
  remember(scope: string, turn: MemoryTurn): Promise<void> | void
}

/** The memory of one agent in one run. */
export interface MemoryContext {
  readonly scope: string
  readonly provider: MemoryProvider
}
