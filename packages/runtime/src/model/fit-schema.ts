/** Values and the schemas that they have to fit. */
import { compileSchema, type InterfaceSchema, type SchemaProblem, type ValueValidator } from '@joust/agentformat'
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
} from '@joust/source'

/** The value when it fits; else why `what` does not. */
export function fitting(value: Value, schema: InterfaceSchema, what: string): Result<Value, string> {
  const problems = schemaProblems(schema, value)
  return problems.length === 0 ? ok(value) : err(`${what}: ${describeProblems(problems)}`)
}

/** Why a value does not fit a schema; empty when it does. Schemas are prepared once. */
export function schemaProblems(schema: InterfaceSchema, value: Value): readonly SchemaProblem[] {
  const judged = validatorOf(schema)(value)
  return judged.ok ? [] : judged.error
}

/** Problems with a value in one line, and how many more there are. */
export function describeProblems(problems: readonly SchemaProblem[], most: number = problems.length): string {
  const told = firstFew(problems, most, (problem) => {
    const message = messageWithHint(problem)
    return problem.path.length === 0 ? message : `${formatPath(problem.path)}: ${message}`
  })
  return told.join('; ')
}

/** The name of the one required property of an object, when it is a string: a text stands for that property. */
export function textProperty(schema: InterfaceSchema): string | undefined {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (own(schema, 'type') !== 'object' || !isRecord(properties) || !isList(required)) return undefined
  const [name, ...others] = required
  const property = typeof name === 'string' ? own(properties, name) : undefined
  const only = others.length === 0 && isRecord(property) && own(property, 'type') === 'string'
  return only && typeof name === 'string' ? name : undefined
}

// A cache by the identity of the schema; results are the same without it.
const validators = new WeakMap<InterfaceSchema, ValueValidator>()

function validatorOf(schema: InterfaceSchema): ValueValidator {
  const known = validators.get(schema)
  if (known !== undefined) return known
  const compiled = compileSchema(schema)
  const validator: ValueValidator = compiled.ok ? compiled.value : () => ({ ok: false, error: compiled.error })
  validators.set(schema, validator)
  return validator
}
