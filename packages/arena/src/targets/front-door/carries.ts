/** What is in a request as JSON: whoever takes that takes all of it. Calls of client tools cannot come back, though. */
import type { NeedName } from '../../model/needs/need.ts'

export const inRequest: readonly NeedName[] = [
  'turns',
  'history',
  'context',
  'state',
  'metadata',
  'forwarded_props',
  'parts',
  'fields',
]
