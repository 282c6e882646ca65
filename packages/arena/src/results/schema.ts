/** The JSON Schema of `results.json`, from the same table that reading and writing follow. */
import { jsonSchemaOf, type Value } from '@joust/source'
import { resultsShape } from './shapes.ts'

/** JSON Schema 2020-12; strict, since it says what is written. Reading is kinder to fields of later releases. */
export function resultsSchema(): Value {
  return jsonSchemaOf(resultsShape, {
    title: 'Results of joust',
    description: 'results.json, version 2: what a run of a suite of attacks found out.',
  })
}
