/** What a call returned. */
import type { Value } from '@joust/source'

/** What a call returned, as data for the model. */
export interface Observation {
  readonly content: Value
  readonly isError: boolean
}

/** An observation that says what went wrong. */
export function errorObservation(message: string): Observation {
  return { content: message, isError: true }
}
