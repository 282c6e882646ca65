/** The assertions and applicators of JSON Schema 2020-12. Annotations such as `format` are ignored. */
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

/** Keywords by name. `then`, `else`, `minContains` and `maxContains` are read by other keywords. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...assertions.map(([name, assert]) => [name, assertion(name, assert)] as const),
  ...Object.entries(ofObjects),
  ...Object.entries({ prefixItems, items, contains }),
  ...Object.entries({ $ref: ref, allOf, anyOf, oneOf, not, if: ifThenElse }),
])

/** Keywords that run after all others. */
export const lastKeywords: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({ unevaluatedProperties, unevaluatedItems }),
)
