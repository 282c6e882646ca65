/** Results to text. */
import { jsonText, type Value } from '@joust/source'
import type { Redacted } from '../model/redacted.ts'
import type { Results } from './model.ts'
import { pick } from './pick.ts'
import { resultsShape } from './shapes.ts'

/** `results.json`: indented, fields in the order of the table and no others, so that two of them can be compared as text. */
export function writeResults(results: Redacted<Results>): string {
  // Plain data by its type; `pick` takes nothing else of it.
  return jsonText(pick(results as unknown as Value, resultsShape))
}
