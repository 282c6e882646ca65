import { cloneValue, type Value } from '@joust/source'
import type { Phase } from '../model/document.ts'

/** The state in force at a phase (SDK §5.10): its own, or that of the nearest before it; a copy, never merged. */
export function computeEffectiveState(phases: readonly Phase[], index: number): Value {
  for (let at = Math.min(index, phases.length - 1); at >= 0; at--) {
    const state = phases[at]?.state
    if (state !== undefined && state !== null) return cloneValue(state)
  }
  return null
}
