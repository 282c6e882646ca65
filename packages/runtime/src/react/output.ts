/** From what a model says to the output of the agent (OPEN-48.5): strictly parsed, never coerced. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, isList, isRecord, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { describeProblems, schemaProblems } from '../mapping/check-interface.ts'
import { readDoubles } from '../model/json-value.ts'
import { wrapSchema } from '../model/wrap-schema.ts'

/** Whether the answer is JSON; a string is the text itself. */
export function isStructured(schema: InterfaceSchema): boolean {
  return own(schema, 'type') !== 'string'
}

/** Reads an answer. The error says what is wrong, for the model and for people. */
export function readOutput(text: string, schema: InterfaceSchema): Result<Value, string> {
  if (!isStructured(schema)) return fitting(text, schema)
  const json = readDoubles(unfenced(text))
  const wrapper = wrapperOf(schema)
  if (wrapper !== undefined && !(json.ok && typeof json.value === 'object')) return fitting({ [wrapper]: text }, schema)
  if (json.ok) return fitting(json.value, schema)
  // A schema without a type may take text as well.
  if (own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  return err(`the answer is not JSON: ${json.error[0]?.message ?? 'it cannot be read'}`)
}

/** The value when it fits, else why it does not. */
export function fitting(value: Value, schema: InterfaceSchema): Result<Value, string> {
  const problems = schemaProblems(schema, value)
  if (problems.length === 0) return ok(value)
  return err(`the answer does not fit the schema: ${describeProblems(problems)}`)
}

/**
 * Ours, for the common `{response: string}`: an object whose only required property is a string takes text that is not JSON
 * object. A bare number or word is text here: nobody who answers `42` means to write JSON.
 */
function wrapperOf(schema: InterfaceSchema): string | undefined {
  const properties = own(schema, 'properties')
  const required = own(schema, 'required')
  if (own(schema, 'type') !== 'object' || !isRecord(properties) || !isList(required) || required.length !== 1)
    return undefined
  const [name] = required
  const property = typeof name === 'string' ? own(properties, name) : undefined
  return typeof name === 'string' && isRecord(property) && own(property, 'type') === 'string' ? name : undefined
}

/** Models like to put JSON into a code block; one around the whole answer is taken off. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```') || trimmed.length < 6) return trimmed
  const start = trimmed.indexOf('\n')
  const opening = start < 0 ? '' : trimmed.slice(3, start).trim()
  return start < 0 || !/^(?:json)?$/i.test(opening) ? trimmed : trimmed.slice(start + 1, -3).trim()
}

/** The schema of the tool that takes the final answer, and how its arguments become the output. */
export function finalToolSchema(schema: InterfaceSchema): {
  readonly inputSchema: ValueRecord
  outputOf(args: ValueRecord): Value | undefined
} {
  if (own(schema, 'type') === 'object') return { inputSchema: schema, outputOf: (args) => args }
  return { inputSchema: wrapSchema(schema, 'output'), outputOf: (args) => own(args, 'output') }
}
