/** How large a report may become. */

/** Every bound of a report. What decided an indicator is kept beyond them, and what is left out is said. */
export interface ReportLimits {
  /** Messages of one trace. */
  readonly messages: number
  /** Characters of all traces together; each gets its share, and what it does not need goes to the others. */
  readonly characters: number
  /** Characters of one message. */
  readonly message: number
  /** Characters of a message that decided an indicator. */
  readonly decidingMessage: number
}

export const defaultReportLimits: ReportLimits = {
  messages: 50_000,
  characters: 30_000_000,
  message: 262_144,
  decidingMessage: 2_097_152,
}
