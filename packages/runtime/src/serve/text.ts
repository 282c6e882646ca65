/** How a text becomes the input of an agent, and how its output becomes a text. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, ownList, type Result, readExactDoubles, type Value } from '@joust/source'
import { fitting, schemaProblems, textProperty } from '../model/fit-schema.ts'
import { textOf } from '../model/json-value.ts'

/** The input that a text stands for, or what was expected instead. */
export function inputFromText(schema: InterfaceSchema, text: string): Result<Value, string> {
  const name = textProperty(schema)
  if (name !== undefined) return inputFromValue(schema, { [name]: text })
  if (own(schema, 'type') === 'string') return inputFromValue(schema, text)
  const json = readExactDoubles(text)
  if (json.ok) return inputFromValue(schema, json.value)
  // A schema without a type may accept text as well.
  if (own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  const names = ownList(schema, 'required').join(' and ')
  const what = names === '' ? "fits the agent's input" : `has ${names}, the agent's input`
  return err(`expected a message that is JSON and ${what}; ${json.error[0]?.message ?? 'it is not JSON'}`)
}

/** A value as the input, or what was expected instead. */
export function inputFromValue(schema: InterfaceSchema, value: Value): Result<Value, string> {
  return fitting(value, schema, "expected a message that fits the agent's input")
}

/** A string as it is; an object with one required string property as that property; anything else as JSON. */
export function outputText(schema: InterfaceSchema, output: Value): string {
  const name = textProperty(schema)
  const property = name !== undefined ? own(output, name) : undefined
  return typeof property === 'string' ? property : textOf(output)
}
