/** Limits on the size of reports. */

/**
 * The default limits of an HTML report. Messages that decided an indicator are kept beyond the limits, and the report
 * says what it omits.
 */
export const defaultReportLimits = {
  /** Messages of one trace. */
  messages: 50_000,
  /** Characters of all traces together, shared evenly; unused shares go to the remaining traces. */
  characters: 30_000_000,
  /** Characters of one message. */
  message: 262_144,
  /** Characters of a message that decided an indicator. */
  decidingMessage: 2_097_152,
} as const

/** Limits of an HTML report. */
export type ReportLimits = { readonly [name in keyof typeof defaultReportLimits]: number }

/** Fixed limits. */
export const reportBounds = {
  /** Invalid lines shown per trace; a file that is not a trace has only such lines. */
  brokenLines: 100,
  /** Characters of a Markdown report. GitHub accepts 65,536 in a comment; the rest is for surrounding text. */
  markdown: 55_000,
  /** Attacks with a section of their own in a Markdown report. */
  markdownDetails: 20,
  /** Restraints listed in a Markdown report. */
  markdownRestraints: 20,
  /** Characters of a label in the diagram of data flows. */
  markdownFlow: 60,
  /** Characters of a diff in a Markdown report. */
  markdownDiff: 5_000,
} as const
