import { isNumeric, kindOf } from '@joust/source'
import { quote } from './quote.ts'

/** A value for a message: scalars are shown, cut to a bound; collections are named. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isNumeric(value) || typeof value === 'boolean') return String(value)
  return kindOf(value)
}
