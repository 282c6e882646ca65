/** Validates values against schemas. */
import { compileSchema, type InterfaceSchema, type SchemaProblem } from '@joust/agentformat'
import {
  err,
  firstFew,
  formatPath,
  isList,
  isRecord,
  messageWithHint,
  ok,
  own,
  type Result,
  type Value,
  type ValueRecord,
} from '@joust/source'

/** Returns the value if it matches the schema, otherwise an error that starts with `subject`. */
export function validateValue(value: Value, schema: InterfaceSchema, subject: string): Result<Value, string> {
  const problems = schemaProblems(schema, value)
  return problems.length === 0 ? ok(value) : err(`${subject}: ${describeProblems(problems)}`)
}

/** Returns the problems with a value; empty if the value is valid. */
export function schemaProblems(schema: InterfaceSchema, value: Value): readonly SchemaProblem[] {
  const validator = validatorOf(schema)
  const validation = validator.ok ? validator.value(value) : validator
  return validation.ok ? [] : validation.error
}

/** Describes up to `most` problems on one line, and counts the rest. */
export function describeProblems(problems: readonly SchemaProblem[], most: number = problems.length): string {
  const messages = firstFew(problems, most, (problem) => {
    const message = messageWithHint(problem)
    return problem.path.length === 0 ? message : `${formatPath(problem.path)}: ${message}`
  })
  return messages.join('; ')
}

/**
 * Returns the name of an object's only required property if it is a string; plain text can then represent the object.
 */
export function textProperty(schema: InterfaceSchema): string | undefined {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (own(schema, 'type') !== 'object' || !isRecord(properties) || !isList(required)) return undefined
  const [name, ...others] = required
  const property = typeof name === 'string' ? own(properties, name) : undefined
  const only = others.length === 0 && isRecord(property) && own(property, 'type') === 'string'
  return only && typeof name === 'string' ? name : undefined
}

// Cached by object identity.
const validators = new WeakMap<ValueRecord, ReturnType<typeof compileSchema>>()

export function validatorOf(schema: ValueRecord): ReturnType<typeof compileSchema> {
  const cached = validators.get(schema)
  if (cached !== undefined) return cached
  const validator = compileSchema(schema)
  validators.set(schema, validator)
  return validator
}
