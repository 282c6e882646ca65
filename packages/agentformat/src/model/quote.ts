import { cut, isNumeric, kindOf } from '@joust/source'

const LONGEST = 60
const MOST = 5

/** A text of a document for a message: quoted, escaped and cut to a bound. */
export function quote(text: string): string {
  return JSON.stringify(cut(text, LONGEST))
}

/** The first few of many, for a message; texts are quoted. */
export function quoteSome(values: readonly (string | number | boolean | null)[]): string {
  const shown = values.slice(0, MOST).map((value) => (typeof value === 'string' ? quote(value) : String(value)))
  return values.length > MOST ? `${shown.join(', ')}, …` : shown.join(', ')
}

/** A value for a message, next to constants of a schema: scalars as they are written there, collections named. */
export function quoteValue(value: unknown): string {
  if (typeof value === 'string') return quote(value)
  if (isNumeric(value) || typeof value === 'boolean') return String(value)
  return kindOf(value)
}
