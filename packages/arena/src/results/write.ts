/** Results to text. */
import type { Value } from '@joust/source'
import type { Redacted } from '../model/redacted.ts'
import type { Results } from './model.ts'
import { pick } from './pick.ts'
import { resultsShape } from './shapes.ts'

/** `results.json`: indented, fields in the order of the table and no others, so that two of them can be compared as text. */
export function writeResults(results: Redacted<Results>): string {
  // Plain data by its type; `pick` takes nothing else of it.
  const known = pick(results as unknown as Value, resultsShape)
  return `${JSON.stringify(known, null, 2).replaceAll(STEERING, escaped)}\n`
}

/** What JSON lets stand and a terminal obeys: DEL, C1, zero-width and bidirectional characters. */
const STEERING = /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}
