/** What is planted in a document, and what of it the agent is to fall for. */
import type { Walk } from '../rules/walk.ts'
import { type Baits, baitsIn } from './bait.ts'
import { type Planted, plantedIn } from './planted.ts'

/** Everything planted, and the baits. */
export interface Plants extends Baits {
  readonly planted: readonly Planted[]
}

/** Reads a document. */
export function plantsIn(walk: Walk): Plants {
  const planted = plantedIn(walk)
  return { planted, ...baitsIn(walk, planted) }
}
