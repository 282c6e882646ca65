/** The keywords of JSON Schema 2020-12 that judge a value. Annotations, `format` among them, judge nothing. */
import { contains, items, prefixItems, unevaluatedItems } from './arrays.ts'
import { bounds } from './bounds.ts'
import { assertion, type Keyword } from './keyword.ts'
import { allOf, anyOf, ifThenElse, not, oneOf, ref } from './logic.ts'
import {
  additionalProperties,
  dependentRequired,
  dependentSchemas,
  patternProperties,
  properties,
  propertyNames,
  required,
  unevaluatedProperties,
} from './objects.ts'
import { constant, enumeration, pattern, type, uniqueItems } from './scalars.ts'

const assertions = Object.entries({ type, const: constant, enum: enumeration, pattern, uniqueItems, ...bounds })

const ofObjects = {
  required,
  dependentRequired,
  properties,
  patternProperties,
  additionalProperties,
  propertyNames,
  dependentSchemas,
}

/** Each keyword with what it does. `then`, `else`, `minContains` and `maxContains` belong to another one. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...assertions.map(([name, assert]) => [name, assertion(name, assert)] as const),
  ...Object.entries(ofObjects),
  ...Object.entries({ prefixItems, items, contains }),
  ...Object.entries({ $ref: ref, allOf, anyOf, oneOf, not, if: ifThenElse }),
])

/** The keywords that look at what all the others have left. */
export const lastKeywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ unevaluatedProperties, unevaluatedItems }),
)
