/** Every bound of this package. */
export const agentLimits = {
  /** Documents that one agent may lead to. */
  documents: 1000,
  /** Steps of one comparison of two schemas; one that takes more finds nothing wrong. */
  comparisonSteps: 200_000,
  /** Nesting of schemas that are compared. */
  comparisonDepth: 16,
  /** Nesting of a schema whose possible types are looked for. */
  typesDepth: 64,
  /** Characters of a pointer within a schema. */
  pointerCharacters: 2000,
  /** Steps of one check by a schema (schemas applied, names compared, characters matched): about a second of work. */
  schemaSteps: 2_000_000,
  /** Nesting of values and of references together in such a check. */
  schemaDepth: 500,
  /** Problems of one value: more than anybody reads. */
  schemaProblems: 100,
  /** Words that a misspelt one is compared with. */
  candidates: 100,
  /** Misspelt words of one document that get a suggestion: finding one costs more than all the rest. */
  advice: 200,
  /** Unknown fields that are reported: more than anybody reads. */
  unknownFields: 200,
} as const
