/** How large a report may become. */

/**
 * The bounds of an HTML report that callers may change. What decided an indicator is kept even beyond them, and the
 * report says what is left out.
 */
export const defaultReportLimits = {
  /** Messages of one trace. */
  messages: 50_000,
  /** Characters of all traces together; each gets its share, and what it does not need goes to the others. */
  characters: 30_000_000,
  /** Characters of one message. */
  message: 262_144,
  /** Characters of a message that decided an indicator. */
  decidingMessage: 2_097_152,
} as const

/** Every bound of an HTML report. */
export type ReportLimits = { readonly [name in keyof typeof defaultReportLimits]: number }

/** The bounds that hold for every report. */
export const reportBounds = {
  /** Broken lines of a trace that are shown; a file that is not a trace has only such lines. */
  brokenLines: 100,
  /** Characters of a Markdown report: GitHub accepts 65,536 in a comment, and what others put around it needs some. */
  markdown: 55_000,
  /** Attacks that get a section of their own in a Markdown report. */
  markdownDetails: 20,
  /** Restraints that a Markdown report lists. */
  markdownRestraints: 20,
  /** Characters of a diff in a Markdown report. */
  markdownDiff: 5_000,
} as const
