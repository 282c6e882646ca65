/** What is in a request as JSON beside the words of a user. Calls of client tools cannot come back, so they are not among it. */
import type { NeedName } from '../../model/needs/need.ts'

export const inRequest = [
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
] as const satisfies readonly NeedName[]

/** Some of it. */
export type InRequest = (typeof inRequest)[number]
