/** Parses a model answer into the agent's output, without coercion (decision 0019, OPEN-48.5). */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { readDoubles } from '../model/json-value.ts'
import { schemaProblems, textProperty, validateValue } from '../model/validate-value.ts'
import { wrapSchema } from '../model/wrap-schema.ts'

/** True unless the output is plain text. */
export function isStructured(schema: InterfaceSchema): boolean {
  return own(schema, 'type') !== 'string'
}

/** Parses an answer. Error messages are also sent to the model. */
export function readOutput(text: string, schema: InterfaceSchema): Result<Value, string> {
  if (!isStructured(schema)) return validateAnswer(text, schema)
  const json = readDoubles(unfenced(text))
  // For the common `{response: string}`, our own rule converts text that is not a JSON object to the property. A bare
  // number or word counts as text.
  const wrapper = textProperty(schema)
  const isText = json.ok ? typeof json.value !== 'object' : !looksLikeJson(text, wrapper)
  if (wrapper !== undefined && isText) return validateAnswer({ [wrapper]: text }, schema)
  if (json.ok) return validateAnswer(json.value, schema)
  // A schema without a type may also accept text.
  if (isText && own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  return err(`the answer is not valid JSON: ${json.error[0]?.message ?? 'unreadable'}`)
}

/** Matches the start of an object, or of a list with a quoted or nested item, optionally in a code block. */
const JSON_START = /^\s*(?:```[a-z0-9]*\s*)?(?:\{|\[\s*["'{])/i

/**
 * True for invalid text that is probably meant as JSON: malformed, truncated, or surrounded by prose. Includes prose
 * that starts with a brace; the model can then repeat it as JSON.
 */
function looksLikeJson(text: string, property: string | undefined): boolean {
  if (JSON_START.test(text)) return true
  const beforeKeys = property === undefined ? [] : text.split(JSON.stringify(property)).slice(0, -1)
  return beforeKeys.some((before) => before.trimEnd().endsWith('{'))
}

export function validateAnswer(value: Value, schema: InterfaceSchema): Result<Value, string> {
  return validateValue(value, schema, 'the answer does not match the schema')
}

/** Removes a code block around the whole answer, which models often add. */
function unfenced(text: string): string {
  const trimmed = text.trim()
  if (!trimmed.startsWith('```') || !trimmed.endsWith('```') || trimmed.length < 6) return trimmed
  const start = trimmed.indexOf('\n')
  const opening = start < 0 ? '' : trimmed.slice(3, start).trim()
  return start < 0 || !/^(?:json)?$/i.test(opening) ? trimmed : trimmed.slice(start + 1, -3).trim()
}

/** Returns the input schema of the final-answer tool, and a function that converts its arguments to the output. */
export function finalToolSchema(schema: InterfaceSchema): {
  readonly inputSchema: ValueRecord
  outputOf(args: ValueRecord): Value | undefined
} {
  if (own(schema, 'type') === 'object') return { inputSchema: schema, outputOf: (args) => args }
  return { inputSchema: wrapSchema(schema, 'output'), outputOf: (args) => own(args, 'output') }
}
