/** How a text becomes the input of an agent. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, isList, isRecord, ok, own, type Result, type Value } from '@joust/source'
import { describeProblems, schemaProblems } from '../mapping/check-interface.ts'
import { readDoubles } from '../model/json-value.ts'

/** The input that a text stands for, or what was expected instead. */
export function inputFromText(schema: InterfaceSchema, text: string): Result<Value, string> {
  const name = textProperty(schema)
  if (name !== undefined) return fitting({ [name]: text }, schema)
  if (own(schema, 'type') === 'string') return fitting(text, schema)
  const json = readDoubles(text)
  if (json.ok) return fitting(json.value, schema)
  // A schema without a type may take text as well.
  if (own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  return err(
    `expected a message that is JSON and fits the agent's input; ${json.error[0]?.message ?? 'it is not JSON'}`,
  )
}

/** The name of the one required property of an object, when it is a string: text stands for that property. */
export function textProperty(schema: InterfaceSchema): string | undefined {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (own(schema, 'type') !== 'object' || !isRecord(properties) || !isList(required)) return undefined
  const [name, ...others] = required
  const property = typeof name === 'string' ? own(properties, name) : undefined
  const only = others.length === 0 && isRecord(property) && own(property, 'type') === 'string'
  return only && typeof name === 'string' ? name : undefined
}

/** A value when it fits a schema, or what was expected instead. */
export function fitting(value: Value, schema: InterfaceSchema): Result<Value, string> {
  const problems = schemaProblems(schema, value)
  if (problems.length === 0) return ok(value)
  return err(`expected a message that fits the agent's input: ${describeProblems(problems)}`)
}
