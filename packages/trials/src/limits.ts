/** Limits of suites. */

export const trialLimits = {
  /** Concurrent runs of a suite, by default. */
  concurrency: 4,
  /** Milliseconds before the first retry of a run that failed outside the agent; doubled for each further retry. */
  runRetryMs: 500,
  /** Placebo trials of an attack. */
  placeboTrials: 5,
  /** Number of inconclusive trials after which sequential trials stop if none was conclusive. */
  futileTrials: 3,
  /** Findings in the results of an invalid document; more are only counted. */
  documentFindings: 100,
} as const
