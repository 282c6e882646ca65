/** All limits of this package. */
export const agentLimits = {
  /** Documents in the graph of one agent. */
  documents: 1000,
  /** Steps of a comparison of two schemas; beyond that, nothing is reported. */
  comparisonSteps: 200_000,
  /** Nesting of schemas that are compared. */
  comparisonDepth: 16,
  /** Nesting of a schema when its possible types are computed. */
  typesDepth: 64,
  /** Characters of a JSON pointer. */
  pointerCharacters: 2000,
  /** Steps of one validation (schemas applied, names compared, characters matched): about a second of work. */
  schemaSteps: 2_000_000,
  /** Nesting of values and references in one validation. */
  schemaDepth: 500,
  /** Reported problems of one value. */
  schemaProblems: 100,
  /** Candidates considered in the correction of a misspelled word. */
  candidates: 100,
  /** Suggestions for misspelled words per document; computing them is expensive. */
  advice: 200,
  /** Reported unknown fields. */
  unknownFields: 200,
} as const
