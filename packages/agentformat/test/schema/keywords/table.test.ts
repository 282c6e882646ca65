import { isRecord } from '@joust/source'
import { expect, test } from 'vitest'
import { keywords, lastKeywords } from '../../../src/schema/keywords/table.ts'
import { metaSchema } from '../../../src/schema/meta-schema.ts'

const known = isRecord(metaSchema.properties) ? metaSchema.properties : {}

/** Keywords without an effect of their own: parts of another keyword, identifiers and annotations. */
const silent = [
  ...['then', 'else', 'minContains', 'maxContains'],
  ...['$schema', '$id', '$anchor', '$dynamicAnchor', '$comment', '$defs', 'definitions', '$vocabulary'],
  ...['title', 'description', 'default', 'deprecated', 'readOnly', 'writeOnly', 'examples'],
  ...['format', 'contentEncoding', 'contentMediaType', 'contentSchema'],
]

/** Keywords that `checkSchema` rejects. */
const refused = ['$dynamicRef']

test('every keyword of JSON Schema is supported, ignored or rejected', () => {
  const judging = [...keywords.keys(), ...lastKeywords.keys()]
  expect([...judging, ...silent, ...refused].sort()).toEqual([...Object.keys(known), 'const', 'default'].sort())
})
