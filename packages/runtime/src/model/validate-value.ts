/** Validation of values against schemas. */
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

/** Returns the value if it matches the schema, else an error that starts with `subject`. */
export function validateValue(value: Value, schema: InterfaceSchema, subject: string): Result<Value, string> {
  const problems = schemaProblems(schema, value)
  return problems.length === 0 ? ok(value) : err(`${subject}: ${describeProblems(problems)}`)
}

/** Validates a value against a schema, which is compiled once. Returns an empty list for a valid value. */
export function schemaProblems(schema: InterfaceSchema, value: Value): readonly SchemaProblem[] {
  const validator = validatorOf(schema)
  const validation = validator.ok ? validator.value(value) : validator
  return validation.ok ? [] : validation.error
}

/** Describes problems in one line, at most `most` of them, and counts the rest. */
export function describeProblems(problems: readonly SchemaProblem[], most: number = problems.length): string {
  const messages = firstFew(problems, most, (problem) => {
    const message = messageWithHint(problem)
    return problem.path.length === 0 ? message : `${formatPath(problem.path)}: ${message}`
  })
  return messages.join('; ')
}

/** The name of the only required property of an object, if it is a string; plain text can then represent the object. */
export function textProperty(schema: InterfaceSchema): string | undefined {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (own(schema, 'type') !== 'object' || !isRecord(properties) || !isList(required)) return undefined
  const [name, ...others] = required
  const property = typeof name === 'string' ? own(properties, name) : undefined
  const only = others.length === 0 && isRecord(property) && own(property, 'type') === 'string'
  return only && typeof name === 'string' ? name : undefined
}

// Cache by object identity; it does not change results.
const validators = new WeakMap<ValueRecord, ReturnType<typeof compileSchema>>()

/** Compiles a schema on first use. */
export function validatorOf(schema: ValueRecord): ReturnType<typeof compileSchema> {
  const cached = validators.get(schema)
  if (cached !== undefined) return cached
  const validator = compileSchema(schema)
  validators.set(schema, validator)
  return validator
}
