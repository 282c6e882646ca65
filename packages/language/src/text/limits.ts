/** Limits of this package, which parses a text after each keystroke. */
export const languageLimits = {
  /** Maximum length of a text with syntax errors. */
  brokenCharacters: 1_000_000,
  /** Maximum length of a key in a text with syntax errors. */
  keyCharacters: 1024,
  /** Maximum nesting of a text with syntax errors; deeper than the parser allows, so no valid document is truncated. */
  depth: 128,
  /** Maximum number of findings shown for a file. More appear once the first ones are fixed. */
  findings: 1000,
  /** Maximum number of findings in a range for which quick fixes are computed. */
  fixedFindings: 100,
} as const
