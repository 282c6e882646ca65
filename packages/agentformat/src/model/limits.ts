/** Limits of this package. */
export const agentLimits = {
  /** Documents in one agent graph. */
  documents: 1000,
  /** Steps of a comparison of two schemas. Beyond that, nothing is reported. */
  comparisonSteps: 200_000,
  /** Nesting of compared schemas. */
  comparisonDepth: 16,
  /** Nesting of a schema whose possible types are computed. */
  typesDepth: 64,
  /** Characters of a JSON pointer. */
  pointerCharacters: 2000,
  /** Validation steps per value (applied schemas, compared names, matched characters), about a second of work. */
  schemaSteps: 2_000_000,
  /** Nesting of values and references during validation. */
  schemaDepth: 500,
  /** Reported problems per value. */
  schemaProblems: 100,
  /** Candidates considered as the correction of a misspelled word. */
  candidates: 100,
  /** Suggestions for misspelled words per document, which are expensive to compute. */
  advice: 200,
  /** Reported unknown fields. */
  unknownFields: 200,
} as const
