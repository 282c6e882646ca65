import type { InterfaceSchema } from '@joust/agentformat'
import { own, type Value } from '@joust/source'
import { textOf } from './json-value.ts'
import { textProperty } from './validate-value.ts'

/**
 * Converts an output to text: a string is unchanged, a single text property is extracted, other values become JSON.
 *
 * @example
 * console.log(outputText({ type: 'string' }, 'On its way.'))
 */
export function outputText(schema: InterfaceSchema, output: Value): string {
  const name = textProperty(schema)
  const property = name !== undefined ? own(output, name) : undefined
  return typeof property === 'string' ? property : textOf(output)
}
