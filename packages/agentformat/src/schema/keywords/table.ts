/** The keywords of JSON Schema 2020-12 that judge a value. Annotations, `format` among them, judge nothing. */
import { contains, items, prefixItems, unevaluatedItems } from './arrays.ts'
import {
  exclusiveMaximum,
  exclusiveMinimum,
  maxItems,
  maximum,
  maxLength,
  maxProperties,
  minItems,
  minimum,
  minLength,
  minProperties,
  multipleOf,
} from './bounds.ts'
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

/** Each keyword with what it does. `then`, `else`, `minContains` and `maxContains` belong to another one. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ['$ref', ref],
  ['type', assertion('type', type)],
  ['const', assertion('const', constant)],
  ['enum', assertion('enum', enumeration)],
  ['minimum', assertion('minimum', minimum)],
  ['maximum', assertion('maximum', maximum)],
  ['exclusiveMinimum', assertion('exclusiveMinimum', exclusiveMinimum)],
  ['exclusiveMaximum', assertion('exclusiveMaximum', exclusiveMaximum)],
  ['multipleOf', assertion('multipleOf', multipleOf)],
  ['minLength', assertion('minLength', minLength)],
  ['maxLength', assertion('maxLength', maxLength)],
  ['pattern', assertion('pattern', pattern)],
  ['minItems', assertion('minItems', minItems)],
  ['maxItems', assertion('maxItems', maxItems)],
  ['uniqueItems', assertion('uniqueItems', uniqueItems)],
  ['minProperties', assertion('minProperties', minProperties)],
  ['maxProperties', assertion('maxProperties', maxProperties)],
  ['required', required],
  ['dependentRequired', dependentRequired],
  ['properties', properties],
  ['patternProperties', patternProperties],
  ['additionalProperties', additionalProperties],
  ['propertyNames', propertyNames],
  ['dependentSchemas', dependentSchemas],
  ['prefixItems', prefixItems],
  ['items', items],
  ['contains', contains],
  ['allOf', allOf],
  ['anyOf', anyOf],
  ['oneOf', oneOf],
  ['not', not],
  ['if', ifThenElse],
])

/** The keywords that look at what all the others have left. */
export const lastKeywords: ReadonlyMap<string, Keyword> = new Map([
  ['unevaluatedProperties', unevaluatedProperties],
  ['unevaluatedItems', unevaluatedItems],
])
