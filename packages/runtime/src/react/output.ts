/** Parses a model's answer into the output of the agent (decision 0019, OPEN-48.5), without coercion. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { readDoubles } from '../model/json-value.ts'
import { schemaProblems, textProperty, validateValue } from '../model/validate-value.ts'
import { wrapSchema } from '../model/wrap-schema.ts'

/** True if the answer is JSON; an output of type string is the text itself. */
export function isStructured(schema: InterfaceSchema): boolean {
  return own(schema, 'type') !== 'string'
}

/** Parses an answer. The error message is also sent to the model. */
export function readOutput(text: string, schema: InterfaceSchema): Result<Value, string> {
  if (!isStructured(schema)) return validateAnswer(text, schema)
  const json = readDoubles(unfenced(text))
  // For the common `{response: string}`, text that is not a JSON object becomes the property. This is our own rule. A
  // bare number or word counts as text.
  const wrapper = textProperty(schema)
  const isText = json.ok ? typeof json.value !== 'object' : !looksLikeJson(text, wrapper)
  if (wrapper !== undefined && isText) return validateAnswer({ [wrapper]: text }, schema)
  if (json.ok) return validateAnswer(json.value, schema)
  // A schema without a type may accept text as well.
  if (isText && own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  return err(`the answer is not valid JSON: ${json.error[0]?.message ?? 'unreadable'}`)
}

/** The start of an object, or of a list with a quoted or nested item, optionally in a code block. */
const JSON_START = /^\s*(?:```[a-z0-9]*\s*)?(?:\{|\[\s*["'{])/i

/**
 * True for invalid text that is probably meant as JSON: broken, truncated, or surrounded by prose. Prose that starts
 * with a brace counts as well; the model can then repeat it as JSON.
 */
function looksLikeJson(text: string, property: string | undefined): boolean {
  if (JSON_START.test(text)) return true
  const beforeKeys = property === undefined ? [] : text.split(JSON.stringify(property)).slice(0, -1)
  return beforeKeys.some((before) => before.trimEnd().endsWith('{'))
}

/** Validates an answer. */
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

/** The schema of the tool for the final answer, and the conversion of its arguments into the output. */
export function finalToolSchema(schema: InterfaceSchema): {
  readonly inputSchema: ValueRecord
  outputOf(args: ValueRecord): Value | undefined
} {
  if (own(schema, 'type') === 'object') return { inputSchema: schema, outputOf: (args) => args }
  return { inputSchema: wrapSchema(schema, 'output'), outputOf: (args) => own(args, 'output') }
}
