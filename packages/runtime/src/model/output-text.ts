import type { InterfaceSchema } from '@joust/agentformat'
import { own, type Value } from '@joust/source'
import { textOf } from './json-value.ts'
import { textProperty } from './validate-value.ts'

/**
 * Returns strings unchanged, the only required string property of an object, and any other value as JSON.
 *
 * @example
 * console.log(outputText({ type: 'string' }, 'On its way.'))
 */
export function outputText(schema: InterfaceSchema, output: Value): string {
  const name = textProperty(schema)
  const property = name !== undefined ? own(output, name) : undefined
  return typeof property === 'string' ? property : textOf(output)
}
