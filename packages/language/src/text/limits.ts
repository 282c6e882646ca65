/** Limits of this package, where a text is parsed after each keystroke. */
export const languageLimits = {
  /** Characters of a text with syntax errors. */
  brokenCharacters: 1_000_000,
  /** Characters of a key in a text with syntax errors. */
  keyCharacters: 1024,
  /** Nesting of a text with syntax errors; deeper than the parser allows, so that no valid document is truncated. */
  depth: 128,
  /** Findings shown for a file; more appear as the first ones are fixed. */
  findings: 1000,
  /** Findings in a range for which quick fixes are computed. */
  fixedFindings: 100,
} as const
