/** Values in messages. */
import { cut, isNumeric, kindOf } from '@joust/source'

const LONGEST = 60
const MOST = 5

/** A string for a message: quoted, escaped and shortened. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, LONGEST))
}

/** The first few values for a message; strings are quoted. */
export function quoteSome(values: readonly (string | number | boolean | null)[]): string {
  const first = values.slice(0, MOST).map((value) => (typeof value === 'string' ? quote(value) : String(value)))
  return values.length > MOST ? `${first.join(', ')}, …` : first.join(', ')
}

/** A value for a message about a schema: scalars are shown, collections are named. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isNumeric(value) || typeof value === 'boolean') return String(value)
  return kindOf(value)
}
