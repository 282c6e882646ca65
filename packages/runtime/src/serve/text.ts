/** Converts text into the input of an agent, and its output into text. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, ownList, type Result, readExactDoubles, type Value } from '@joust/source'
import { textOf } from '../model/json-value.ts'
import { schemaProblems, textProperty, validateValue } from '../model/validate-value.ts'

/**
 * Converts a text into an input, or returns an error message.
 *
 * @example
 * const input = unwrap(inputFromText({ type: 'string' }, 'Where is my order?'))
 */
export function inputFromText(schema: InterfaceSchema, text: string): Result<Value, string> {
  const name = textProperty(schema)
  if (name !== undefined) return inputFromValue(schema, { [name]: text })
  if (own(schema, 'type') === 'string') return inputFromValue(schema, text)
  const json = readExactDoubles(text)
  if (json.ok) return inputFromValue(schema, json.value)
  // A schema without a type may accept text as well.
  if (own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  const names = ownList(schema, 'required').join(' and ')
  const fields = names === '' ? "that matches the agent's input" : `with ${names}`
  return err(`expected a JSON message ${fields}; ${json.error[0]?.message ?? 'invalid JSON'}`)
}

/** Validates a value as the input. */
export function inputFromValue(schema: InterfaceSchema, value: Value): Result<Value, string> {
  return validateValue(value, schema, "expected a message that matches the agent's input")
}

/**
 * Returns a string unchanged, the only required string property of an object, or any other value as JSON.
 *
 * @example
 * console.log(outputText({ type: 'string' }, 'On its way.'))
 */
export function outputText(schema: InterfaceSchema, output: Value): string {
  const name = textProperty(schema)
  const property = name !== undefined ? own(output, name) : undefined
  return typeof property === 'string' ? property : textOf(output)
}
