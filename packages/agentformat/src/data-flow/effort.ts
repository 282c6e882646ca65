/** What reasoning about schemas may cost. When it is used up nothing more is concluded, so nothing wrong is. */
export interface Effort {
  left: number
}

const STEPS = 200_000

/** A fresh allowance, enough for any schema that people write. */
export function newEffort(steps: number = STEPS): Effort {
  return { left: steps }
}

/** Takes one step; false when there is none left. */
export function spend(effort: Effort): boolean {
  effort.left--
  return effort.left >= 0
}
