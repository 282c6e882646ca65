/** A step budget for reasoning about schemas. Once it is used up, no more conclusions are drawn. */
import { agentLimits } from '../model/limits.ts'

/** The remaining steps. */
export interface Effort {
  left: number
}

/** A fresh budget, enough for any hand-written schema. */
export function newEffort(steps: number = agentLimits.comparisonSteps): Effort {
  return { left: steps }
}

/** Spends one step; false when none is left. */
export function spend(effort: Effort): boolean {
  effort.left--
  return effort.left >= 0
}
