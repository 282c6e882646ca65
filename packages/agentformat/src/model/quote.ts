/** Formats values for messages. */
import { cut, isNumeric, kindOf } from '@joust/source'

const LONGEST = 60
const MOST = 5

/** Quotes, escapes and shortens a string. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, LONGEST))
}

/** Formats the first few values. Strings are quoted. */
export function quoteSome(values: readonly (string | number | boolean | null)[]): string {
  const first = values.slice(0, MOST).map((value) => (typeof value === 'string' ? quote(value) : String(value)))
  return values.length > MOST ? `${first.join(', ')}, …` : first.join(', ')
}

/** Formats a scalar, or returns the type of a collection. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isNumeric(value) || typeof value === 'boolean') return String(value)
  return kindOf(value)
}
