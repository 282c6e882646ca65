import type { ValueRecord } from '@joust/source'
import { actionSpace } from './action-space.ts'
import { type Field, field, filledText, flag, object, text, textLike, textMap, texts, wholeFrom } from './parts.ts'
import { executionPolicy } from './policies.ts'

const types = { type: 'string', enum: ['object', 'string', 'number', 'integer', 'boolean', 'array'] }

/** The schema of an interface schema. Below the root, any JSON Schema is allowed; `checkSchema` validates it. */
const interfaceSchema: ValueRecord = object({ type: field(types, 'The type of the value.') })

const DOTTED = '^[a-z0-9][a-z0-9_.-]*$'
const DOTTED_RULE = 'consists of lower-case letters, digits, "_", "." and "-", and starts with a letter or digit'

const governancePolicyRef = object(
  {
    policy_ref: field(textLike(DOTTED, `a policy reference ${DOTTED_RULE}`), 'The policy id in the registry.'),
    required: field(flag, 'Refuse to run if the policy cannot be found.'),
    description: field(text, 'The reason for the policy.'),
  },
  ['policy_ref'],
)

const budget = object({
  max_token_usage: field(wholeFrom(0), 'The maximum number of tokens in a run, including sub-agents.'),
  max_duration_seconds: field(wholeFrom(1), 'The maximum duration of a run, in seconds.'),
})

const limits = object({
  max_llm_calls: field(wholeFrom(0), 'The maximum number of model calls in a run.'),
  max_tool_calls: field(wholeFrom(0), 'The maximum number of tool calls in a run.'),
  max_delegation_depth: field(wholeFrom(0), 'The maximum depth of delegation to sub-agents.'),
})

const governance: ValueRecord = { type: 'array', items: governancePolicyRef }

const constraints: ValueRecord = object({
  tighten_only_invariant: field(flag, 'Allow sub-agents to tighten limits, but not to loosen them. Keep this enabled.'),
  budget: field(budget, 'Limits on tokens and time.'),
  limits: field(limits, 'Limits on calls and delegation depth.'),
  governance_policies: field(governance, 'Registry policies that apply to the agent.'),
})

const memory: ValueRecord = object({ required: field(flag, 'Refuse to run if no memory is available.') })

const id = textLike(
  '^[a-z0-9][a-z0-9_-]*$',
  'an id consists of lower-case letters, digits, "_" and "-", and starts with a letter or digit',
)

const fields: { readonly [name: string]: Field } = {
  id: field(id, 'The agent id: lower-case letters, digits, `_` and `-`.'),
  name: field(filledText, 'The display name of the agent.'),
  version: field(filledText, 'The version of this agent.'),
  description: field(filledText, 'The purpose of the agent.'),
  authors: field(texts, 'The authors of the agent.'),
  license: field(text, 'The licence of the agent.'),
  labels: field(textMap, 'Key-value pairs for selecting agents.'),
  annotations: field(textMap, 'Key-value pairs for tools.'),
  homepage: field({ type: 'string', format: 'uri' }, 'The URL of the home page.'),
  data_classification: field(text, 'The sensitivity of the data that the agent processes.'),
  namespace: field(textLike(DOTTED, `a namespace ${DOTTED_RULE}`), 'The namespace of the id.'),
}

const metadata: ValueRecord = object(fields, ['id', 'name', 'version', 'description'])

const interfaces = object(
  {
    input: field(interfaceSchema, 'The input schema. Path expressions read the input as `parent.input.…`.'),
    output: field(interfaceSchema, 'The output schema. Parents read the output as `alias.output.…`.'),
  },
  ['input', 'output'],
)

const version = textLike('^[0-9]+\\.[0-9]+\\.[0-9]+$', 'three numbers, for example "1.0.0"')

/** The JSON Schema (2020-12) of an Agent Format 1.0 document. Allows unknown fields and does not resolve references. */
export const documentSchema: ValueRecord = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Agent Format 1.0',
  ...object(
    {
      schema_version: field(version, 'The Agent Format version, three numbers.'),
      metadata: field(metadata, 'The identity of the agent.'),
      interface: field(interfaces, 'The input and output of the agent, as JSON Schemas.'),
      execution_policy: field(executionPolicy, 'The execution policy of the agent.'),
      memory: field(memory, 'The memory of the agent.'),
      constraints: field(constraints, 'Limits that the model cannot change.'),
      action_space: field(actionSpace, 'Everything that the agent may call.'),
    },
    ['schema_version', 'metadata', 'interface', 'execution_policy'],
  ),
}
