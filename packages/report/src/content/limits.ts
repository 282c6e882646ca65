/** Limits on the size of reports. */

/** Default limits of an HTML report. The report says what it omits. Messages that decided an indicator are kept. */
export const defaultReportLimits = {
  /** Maximum number of messages in one trace. */
  messages: 50_000,
  /** Maximum length of all traces together, distributed evenly. Unused length goes to the remaining traces. */
  characters: 30_000_000,
  /** Maximum length of one message. */
  message: 262_144,
  /** Maximum length of a message that decided an indicator. */
  decidingMessage: 2_097_152,
} as const

export type ReportLimits = { readonly [name in keyof typeof defaultReportLimits]: number }

/** Fixed limits. */
export const reportBounds = {
  /** Maximum number of invalid lines shown per trace. In a file that is not a trace, every line is invalid. */
  brokenLines: 100,
  /** Maximum length of a Markdown report. GitHub accepts comments of up to 65,536 characters. */
  markdown: 55_000,
  /** Maximum number of attacks with their own section in a Markdown report. */
  markdownDetails: 20,
  /** Maximum number of restraints in a Markdown report. */
  markdownRestraints: 20,
  /** Maximum length of a label in the diagram of data flows. */
  markdownFlow: 60,
  /** Maximum length of a diff in a Markdown report. */
  markdownDiff: 5_000,
} as const
