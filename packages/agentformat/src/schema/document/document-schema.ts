/** The JSON Schema (2020-12) of an Agent Format 1.0 document. */
import type { ValueRecord } from '@joust/source'
import { actionSpace } from './action-space.ts'
import { filledText, flag, object, text, textMap, texts, wholeFrom } from './parts.ts'
import { executionPolicy } from './policies.ts'

/** Below its root an interface schema is any JSON Schema; `checkSchema` looks into it. */
export const interfaceSchema: ValueRecord = object({
  type: { type: 'string', enum: ['object', 'string', 'number', 'integer', 'boolean', 'array'] },
})

const governancePolicyRef = object(
  {
    policy_ref: {
      type: 'string',
      pattern: '^[a-z0-9][a-z0-9_.-]*$',
      description:
        'a policy reference has lower-case letters, digits, "_", "." and "-", and starts with a letter or digit',
    },
    required: flag,
    description: text,
  },
  ['policy_ref'],
)

/** Hard limits and governance. */
const constraints: ValueRecord = object({
  tighten_only_invariant: flag,
  budget: object({ max_token_usage: wholeFrom(0), max_duration_seconds: wholeFrom(1) }),
  limits: object({
    max_llm_calls: wholeFrom(0),
    max_tool_calls: wholeFrom(0),
    max_delegation_depth: wholeFrom(0),
  }),
  governance_policies: { type: 'array', items: governancePolicyRef },
})

/** Whether the agent needs a memory. */
const memory: ValueRecord = object({ required: flag })

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
const metadata: ValueRecord = object(fields, ['id', 'name', 'version', 'description'])

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
