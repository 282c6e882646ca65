/** The time that evaluating a document may take (§5.7). */

/** Counts the time that work takes, not the time in between. */
export interface EvaluationTime {
  readonly milliseconds: number
  /** What is left; 0 when it is used up. */
  left(): number
  spend(milliseconds: number): void
}

/** A limit in milliseconds; NaN would be no limit at all, so the default is used instead. */
export function createEvaluationTime(wanted: number | undefined, byDefault: number): EvaluationTime {
  const milliseconds = typeof wanted === 'number' && !Number.isNaN(wanted) ? wanted : byDefault
  let spent = 0
  return {
    milliseconds,
    left: () => Math.max(0, milliseconds - spent),
    // Setting the clock back gains no time.
    spend: (taken) => {
      spent += Math.max(0, taken)
    },
  }
}
