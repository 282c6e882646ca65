import { agentCodeSummaries } from '@joust/agentformat'

/** Codes that are words: a sentence says all there is to say about them. */
export const plainCodes: ReadonlyMap<string, string> = new Map([
  ['syntax', 'The text cannot be read as YAML or JSON.'],
  ['type_mismatch', 'A field of an attack document is missing, unknown, or of another type than it should be.'],
  ['unknown_variant', 'A field of an attack document has a value that is not one of its choices.'],
  ...Object.entries(agentCodeSummaries),
])
