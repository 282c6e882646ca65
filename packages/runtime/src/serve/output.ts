/** How the output of an agent is said in text; the mirror of `input`. */
import type { InterfaceSchema } from '@joust/agentformat'
import { isRecord, own, type Value, valueToText } from '@joust/source'
import { isStructured } from '../react/output.ts'
import { textProperty } from './text-input.ts'

/** A string as it is, of an object with one required string property that property, anything else as JSON. */
export function outputText(schema: InterfaceSchema, output: Value): string {
  const name = textProperty(schema)
  const property = name !== undefined && isRecord(output) ? own(output, name) : undefined
  if (typeof property === 'string') return property
  return jsonText(output)
}

/** Whether what a model answers reads as the output does. Else it is JSON that people should not see: `outputText` says it. */
export function answersPlainly(schema: InterfaceSchema): boolean {
  return !isStructured(schema)
}

/** A string as it is, anything else as JSON. */
export function jsonText(value: Value): string {
  const text = valueToText(value, 'document')
  return text.ok ? text.value : '[nested too deeply to show]'
}
