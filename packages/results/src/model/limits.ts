/** Limits for reading, writing and redacting results and traces. */

export const resultsLimits = {
  /** Distinct diagnostics of a run; further ones are only counted, because a peer can cause any number of them. */
  diagnostics: 1000,
  /** Bytes per line of a trace. */
  traceLineBytes: 64 * 1024 * 1024,
  /** Bytes of a results file, or of the trials that a suite resumes from. */
  resultsBytes: 256 * 1024 * 1024,
  /** Maximum number of findings about a results file. */
  resultsFindings: 100,
  /** Maximum number of later messages for which a message with the beginning of a secret is held back. */
  splitEntries: 64,
  /** Maximum number of strings of a message that are searched for parts of secrets. */
  splitTexts: 500,
  /** Maximum nesting depth of a message that is searched for parts of secrets. */
  secretLevels: 12,
  /** Regex instructions × characters that redaction may spend per text and pattern. */
  redactWork: 50_000_000,
} as const
