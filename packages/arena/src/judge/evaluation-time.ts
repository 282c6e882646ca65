/** The time that evaluating a document may take (§5.7). */

/** Counts the time that work takes, and nothing between. */
export interface EvaluationTime {
  readonly milliseconds: number
  /** What is left; 0 when nothing is. */
  left(): number
  spend(milliseconds: number): void
}

/** A limit of so many milliseconds; what is not a number would be no limit, so the default counts then. */
export function createEvaluationTime(wanted: number | undefined, byDefault: number): EvaluationTime {
  const milliseconds = typeof wanted === 'number' && !Number.isNaN(wanted) ? wanted : byDefault
  let spent = 0
  return {
    milliseconds,
    left: () => Math.max(0, milliseconds - spent),
    // A clock that is set back gives no time.
    spend: (taken) => {
      spent += Math.max(0, taken)
    },
  }
}
