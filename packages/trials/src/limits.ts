/** Limits of suites. */

export const trialLimits = {
  /** Default maximum number of concurrent runs of a suite. */
  concurrency: 4,
  /** Milliseconds before the first retry of a run that failed outside the agent; doubled with each further retry. */
  runRetryMs: 500,
  /** Maximum number of placebo trials of an attack. */
  placeboTrials: 5,
  /** Number of inconclusive trials after which sequential trials stop if no trial was conclusive. */
  futileTrials: 3,
  /** Maximum number of findings in the results of an invalid document; further findings are only counted. */
  documentFindings: 100,
} as const
