/** The JSON Schema of OATF documents, from the table that `parse` follows. */
import { jsonSchemaOf, type Value } from '@joust/source'
import { documentShape } from './model/shapes.ts'

/** JSON Schema 2020-12: accepts what `parse` accepts. What the fields mean is checked by `validate`. */
export function documentSchema(): Value {
  return jsonSchemaOf(documentShape, {
    title: 'OATF document',
    description: 'An OATF 0.1 attack document: its structure, as parse checks it.',
  })
}
