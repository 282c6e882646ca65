import { kindOf } from '../model/value.ts'
import { cut } from '../text/cut.ts'

const LONGEST = 60

/** Describes a value for a message: scalars are shown, shortened if necessary; collections are only named. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(cut(value, LONGEST))
  if (value === null || typeof value === 'object') return kindOf(value)
  return `${kindOf(value)} (${String(value)})`
}
