/** Limits of this package. */
export const agentLimits = {
  /** Maximum number of documents in one agent graph. */
  documents: 1000,
  /** Maximum number of steps in a comparison of two schemas. A comparison that needs more reports nothing. */
  comparisonSteps: 200_000,
  /** Maximum nesting depth of compared schemas. */
  comparisonDepth: 16,
  /** Maximum nesting depth of a schema whose possible types are computed. */
  typesDepth: 64,
  /** Maximum length of a JSON pointer, in characters. */
  pointerCharacters: 2000,
  /** Maximum number of validation steps per value (schemas, compared names, matched characters), about a second. */
  schemaSteps: 2_000_000,
  /** Maximum nesting depth of values and references during validation. */
  schemaDepth: 500,
  /** Maximum number of reported problems per value. */
  schemaProblems: 100,
  /** Maximum number of candidates considered as the correction of a misspelled word. */
  candidates: 100,
  /** Maximum number of suggested corrections per document, which are expensive to compute. */
  advice: 200,
  /** Maximum number of reported unknown fields. */
  unknownFields: 200,
} as const
