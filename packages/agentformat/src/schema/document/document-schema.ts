/** The JSON Schema (2020-12) of an Agent Format 1.0 document. */
import type { ValueRecord } from '@joust/source'
import { actionSpace } from './action-space.ts'
import { constraints, memory } from './constraints.ts'
import { metadata } from './metadata.ts'
import { object } from './parts.ts'
import { executionPolicy } from './policies.ts'

/** Below its root an interface schema is any JSON Schema; `checkSchema` looks into it. */
export const interfaceSchema: ValueRecord = object({
  type: { type: 'string', enum: ['object', 'string', 'number', 'integer', 'boolean', 'array'] },
})

/** What a document looks like. Unknown fields pass; what references mean is not its business. */
export const documentSchema: ValueRecord = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Agent Format 1.0',
  ...object(
    {
      schema_version: {
        type: 'string',
        pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$',
        description: 'three numbers, for example "1.0.0"',
      },
      metadata,
      interface: object({ input: interfaceSchema, output: interfaceSchema }, ['input', 'output']),
      execution_policy: executionPolicy,
      memory,
      constraints,
      action_space: actionSpace,
    },
    ['schema_version', 'metadata', 'interface', 'execution_policy'],
  ),
}
