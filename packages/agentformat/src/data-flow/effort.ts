/** How much work reasoning about schemas may take. Once used up, nothing more is concluded, so nothing wrong is. */
import { agentLimits } from '../model/limits.ts'
export interface Effort {
  left: number
}

/** A fresh allowance, enough for any schema that people write. */
export function newEffort(steps: number = agentLimits.comparisonSteps): Effort {
  return { left: steps }
}

/** Takes one step; false when there is none left. */
export function spend(effort: Effort): boolean {
  effort.left--
  return effort.left >= 0
}
