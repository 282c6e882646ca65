/** A document that is being normalized: a private copy, so steps may change it. Any value may stand anywhere. */
export type Draft = { [key: string]: unknown }

/** One transformation of a draft in place. */
export type Step = (draft: Draft) => void

/** What is known about a step: one row of the table. */
export interface StepRow {
  readonly code: string
  readonly section: string
  readonly summary: string
  readonly apply: Step
}
