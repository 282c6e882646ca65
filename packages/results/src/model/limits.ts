/** Limits for reading, writing and redacting results and traces. */

export const resultsLimits = {
  /** Maximum number of distinct diagnostics per run. A peer can cause any number, so further ones are only counted. */
  diagnostics: 1000,
  /** Maximum size of a trace line in bytes. */
  traceLineBytes: 64 * 1024 * 1024,
  /** Maximum size in bytes of a results file, or of the trials from which a suite resumes. */
  resultsBytes: 256 * 1024 * 1024,
  /** Maximum number of findings about a results file. */
  resultsFindings: 100,
  /** Maximum number of later messages during which a message that may contain the start of a secret is held back. */
  splitEntries: 64,
  /** Maximum number of strings per message that are searched for parts of secrets. */
  splitTexts: 500,
  /** Maximum nesting depth of a message that is searched for parts of secrets. */
  secretLevels: 12,
  /** Maximum work of redaction per text and pattern, in regex instructions × characters. */
  redactWork: 50_000_000,
} as const
