/** Converts text to agent inputs. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, ownList, type Result, readExactDoubles, type Value } from '@joust/source'
import { schemaProblems, textProperty, validateValue } from '../model/validate-value.ts'

/**
 * Converts a text to an input, or returns an error message.
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
  // A schema without a type may also accept text.
  if (own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  const names = ownList(schema, 'required').join(' and ')
  const fields = names === '' ? "that matches the agent's input" : `with ${names}`
  return err(`expected a JSON message ${fields}; ${json.error[0]?.message ?? 'invalid JSON'}`)
}

export function inputFromValue(schema: InterfaceSchema, value: Value): Result<Value, string> {
  return validateValue(value, schema, "expected a message that matches the agent's input")
}
