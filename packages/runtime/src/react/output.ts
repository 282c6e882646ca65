/** From what a model says to the output of the agent (OPEN-48.5): strictly parsed, never coerced. */
import type { InterfaceSchema } from '@joust/agentformat'
import { err, ok, own, type Result, type Value, type ValueRecord } from '@joust/source'
import { fitting, schemaProblems, textProperty } from '../model/fit-schema.ts'
import { readDoubles } from '../model/json-value.ts'
import { wrapSchema } from '../model/wrap-schema.ts'

/** Whether the answer is JSON; a string is the text itself. */
export function isStructured(schema: InterfaceSchema): boolean {
  return own(schema, 'type') !== 'string'
}

/** Reads an answer. The error says what is wrong, for the model and for people. */
export function readOutput(text: string, schema: InterfaceSchema): Result<Value, string> {
  if (!isStructured(schema)) return fittingAnswer(text, schema)
  const json = readDoubles(unfenced(text))
  // Our own rule, for the common `{response: string}`: text that is not a JSON object stands for the property. A bare
  // number or word is text here: nobody who answers `42` means JSON.
  const wrapper = textProperty(schema)
  const isText = json.ok ? typeof json.value !== 'object' : !triesJson(text, wrapper)
  if (wrapper !== undefined && isText) return fittingAnswer({ [wrapper]: text }, schema)
  if (json.ok) return fittingAnswer(json.value, schema)
  // A schema without a type may accept text as well.
  if (isText && own(schema, 'type') === undefined && schemaProblems(schema, text).length === 0) return ok(text)
  return err(`the answer is not JSON: ${json.error[0]?.message ?? 'it cannot be read'}`)
}

/** The start of an object, or of a list with something quoted or nested in it, possibly in a code block. */
const JSON_START = /^\s*(?:```[a-z0-9]*\s*)?(?:\{|\[\s*["'{])/i

/**
 * True for text that is meant as JSON, although it cannot be read as such: broken, cut, or with prose around it. Prose
 * that starts with a brace is taken for it too; the model then gets to say it as JSON.
 */
function triesJson(text: string, property: string | undefined): boolean {
  if (JSON_START.test(text)) return true
  const beforeKeys = property === undefined ? [] : text.split(JSON.stringify(property)).slice(0, -1)
  return beforeKeys.some((before) => before.trimEnd().endsWith('{'))
}

/** The value when it fits, else why it does not. */
export function fittingAnswer(value: Value, schema: InterfaceSchema): Result<Value, string> {
  return fitting(value, schema, 'the answer does not fit the schema')
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
