import { cloneValue, type Value } from '@joust/source'
import type { Phase } from '../model/document.ts'

/**
 * Returns the effective state of a phase ([OATF SDK §5.10](https://oatf.io/sdk/execution-primitives/)): a copy of the
 * phase's own state or of the nearest earlier state. States are never merged.
 *
 * @example
 * const state = computeEffectiveState([{ name: 'bait', state: { tools: [] } }, { name: 'wait' }], 1)
 */
export function computeEffectiveState(phases: readonly Phase[], index: number): Value {
  for (let at = Math.min(index, phases.length - 1); at >= 0; at--) {
    const state = phases[at]?.state
    if (state !== undefined && state !== null) return cloneValue(state)
  }
  return null
}
