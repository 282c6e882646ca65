/** The time limit for evaluating a document ([OATF §5.7](https://oatf.io/specification/execution-profile/)). */

/** The time spent on evaluation, excluding the time in between. */
export interface EvaluationTime {
  readonly milliseconds: number
  /** Remaining milliseconds; 0 once the limit is reached. */
  left(): number
  spend(milliseconds: number): void
}

/** NaN would disable the limit, so the default is used instead. */
export function createEvaluationTime(limit: number | undefined, byDefault: number): EvaluationTime {
  const milliseconds = typeof limit === 'number' && !Number.isNaN(limit) ? limit : byDefault
  let spent = 0
  return {
    milliseconds,
    left: () => Math.max(0, milliseconds - spent),
    // A clock that is set back must not add time.
    spend: (duration) => {
      spent += Math.max(0, duration)
    },
  }
}
