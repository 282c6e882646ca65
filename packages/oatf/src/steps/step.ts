/** A document during normalization: a private, mutable copy, not necessarily valid. */
export type Draft = { [key: string]: unknown }

export interface Step {
  /** The effect, in one sentence. */
  readonly summary: string
  readonly apply: (draft: Draft) => void
  /** A document that the step changes. */
  readonly before: string
}

export interface StepRow extends Step {
  readonly code: string
  readonly section: string
}

/** An example document without optional fields. */
export const poisonedTool = `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: tools[*].description
      pattern: { contains: "ignore previous" }
`
