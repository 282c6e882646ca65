/** A document that is being normalized: a private copy, so steps may change it. Any value may be anywhere. */
export type Draft = { [key: string]: unknown }

/** A step of normalization. */
export interface Step {
  /** One sentence: what it does. */
  readonly summary: string
  /** Changes a draft in place. */
  readonly apply: (draft: Draft) => void
  /** A document that it changes. */
  readonly before: string
}

/** One row of the table. */
export interface StepRow extends Step {
  readonly code: string
  readonly section: string
}
