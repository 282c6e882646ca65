/** A memory that lasts as long as the process. */

import { cloneValue } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'
import type { MemoryProvider, MemoryTurn } from '../model/memory.ts'

/** How much is kept. */
export interface InMemoryOptions {
  /** Turns per scope, the oldest go first; default 100. */
  readonly turns?: number
}

/** Keeps the latest turns of each scope. */
export function createInMemory(options: InMemoryOptions = {}): MemoryProvider {
  const most = options.turns ?? runtimeLimits.memoryTurns
  const scopes = new Map<string, readonly MemoryTurn[]>()
  return {
    recall: (scope) => cloneValue(scopes.get(scope) ?? []),
    remember(scope, turn) {
      scopes.set(scope, [...(scopes.get(scope) ?? []), cloneValue(turn)].slice(-most))
    },
  }
}
