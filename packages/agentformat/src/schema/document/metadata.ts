import type { ValueRecord } from '@joust/source'
import { filledText, object, text, textMap, texts } from './parts.ts'

const fields: ValueRecord = {
  id: {
    type: 'string',
    pattern: '^[a-z0-9][a-z0-9_-]*$',
    description: 'an id has lower-case letters, digits, "_" and "-", and starts with a letter or digit',
  },
  name: filledText,
  version: filledText,
  description: filledText,
  authors: texts,
  license: text,
  labels: textMap,
  annotations: textMap,
  homepage: { type: 'string', format: 'uri' },
  data_classification: text,
  namespace: {
    type: 'string',
    pattern: '^[a-z0-9][a-z0-9_.-]*$',
    description: 'a namespace has lower-case letters, digits, "_", "." and "-", and starts with a letter or digit',
  },
}

/** Who the agent is. */
export const metadata: ValueRecord = object(fields, ['id', 'name', 'version', 'description'])
