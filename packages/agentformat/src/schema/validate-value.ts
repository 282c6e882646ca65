/** Validates the input and the output of an agent against its interface. */
import { defaultLimits, err, type Limits, messageWithHint, ok, type Result, type Value } from '@joust/source'
import type { JsonSchema } from '../model/document.ts'
import { checkSchema } from './check-schema.ts'
import { evaluate } from './evaluate.ts'
import type { SchemaProblem } from './problem.ts'

/** Validates values against one schema. */
export type ValueValidator = (value: Value) => Result<void, SchemaProblem[]>

/** Prepares a schema for many values, or returns the problems of the schema. */
export function compileSchema(
  schema: JsonSchema,
  limits: Limits = defaultLimits,
): Result<ValueValidator, SchemaProblem[]> {
  const checked = checkSchema(schema, limits)
  return checked.ok ? ok((value) => evaluate(checked.value, value)) : checked
}

/** Validates a value; fails for an invalid schema. No eval, no coercion, no network, RE2 patterns. */
export function validateValue(schema: JsonSchema, value: Value): Result<void, SchemaProblem[]> {
  const validator = compileSchema(schema)
  if (validator.ok) return validator.value(value)
  const [first] = validator.error
  const message = `invalid schema: ${first === undefined ? '' : messageWithHint(first)}`
  return err([{ path: [], keyword: 'schema', message }])
}
