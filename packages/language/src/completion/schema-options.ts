/** What may be typed in a JSON Schema, wherever one stands. */
import { schemaKeywords, schemaText } from '../grammar/message-texts.ts'
import type { Option } from './option.ts'

export const jsonTypes = ['object', 'string', 'number', 'integer', 'boolean', 'array']

export function schemaOptions(): Option[] {
  return schemaKeywords.map((label) => ({
    label,
    kind: 'key',
    detail: 'JSON Schema',
    about: schemaText([label]) ?? '',
  }))
}
