import { agentLimits } from '../model/limits.ts'

/** A step budget for reasoning about schemas. When it is used up, no further conclusions are drawn. */
export interface Effort {
  left: number
}

/** Creates a budget that is sufficient for any hand-written schema. */
export function newEffort(steps: number = agentLimits.comparisonSteps): Effort {
  return { left: steps }
}

/** Spends one step. Returns false if the budget is used up. */
export function spend(effort: Effort): boolean {
  effort.left--
  return effort.left >= 0
}
