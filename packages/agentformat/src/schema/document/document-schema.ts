/** The JSON Schema (2020-12) of an Agent Format 1.0 document. */
import type { ValueRecord } from '@joust/source'
import { actionSpace } from './action-space.ts'
import { type Field, field, filledText, flag, object, text, textLike, textMap, texts, wholeFrom } from './parts.ts'
import { executionPolicy } from './policies.ts'

const types = { type: 'string', enum: ['object', 'string', 'number', 'integer', 'boolean', 'array'] }

/** Below its root an interface schema is any JSON Schema; `checkSchema` looks into it. */
const interfaceSchema: ValueRecord = object({ type: field(types, 'What kind of value it is.') })

const DOTTED = '^[a-z0-9][a-z0-9_.-]*$'
const DOTTED_SAYS = 'has lower-case letters, digits, "_", "." and "-", and starts with a letter or digit'

const governancePolicyRef = object(
  {
    policy_ref: field(textLike(DOTTED, `a policy reference ${DOTTED_SAYS}`), 'The policy, as its registry knows it.'),
    required: field(flag, 'Whether the agent does not run where the policy cannot be found.'),
    description: field(text, 'Why the policy holds, for people.'),
  },
  ['policy_ref'],
)

const budget = object({
  max_token_usage: field(wholeFrom(0), 'How many tokens a run may use, those of sub-agents included.'),
  max_duration_seconds: field(wholeFrom(1), 'How long a run may take.'),
})

const limits = object({
  max_llm_calls: field(wholeFrom(0), 'How often a run may ask a model.'),
  max_tool_calls: field(wholeFrom(0), 'How often a run may call tools.'),
  max_delegation_depth: field(wholeFrom(0), 'How deep agents may call agents.'),
})

const governance: ValueRecord = { type: 'array', items: governancePolicyRef }

/** Hard limits and governance. */
const constraints: ValueRecord = object({
  tighten_only_invariant: field(flag, 'Whether sub-agents may only tighten limits. Leave it on.'),
  budget: field(budget, 'How many tokens and how much time a run may take.'),
  limits: field(limits, 'How many calls a run may make, and how deep it may delegate.'),
  governance_policies: field(governance, 'Policies of a registry that hold for the agent.'),
})

const memory: ValueRecord = object({ required: field(flag, 'Whether the agent does not run without one.') })

const id = textLike(
  '^[a-z0-9][a-z0-9_-]*$',
  'an id has lower-case letters, digits, "_" and "-", and starts with a letter or digit',
)

const fields: { readonly [name: string]: Field } = {
  id: field(id, 'The id of the agent: lower-case letters, digits, `_` and `-`.'),
  name: field(filledText, 'What people call the agent.'),
  version: field(filledText, 'The version of this agent.'),
  description: field(filledText, 'What the agent does.'),
  authors: field(texts, 'Who wrote it.'),
  license: field(text, 'The licence that it is given under.'),
  labels: field(textMap, 'Names and words to find the agent by.'),
  annotations: field(textMap, 'What tools note about the agent.'),
  homepage: field({ type: 'string', format: 'uri' }, 'Where one can read more, as an address.'),
  data_classification: field(text, 'How sensitive the data is that the agent works on.'),
  namespace: field(textLike(DOTTED, `a namespace ${DOTTED_SAYS}`), 'What the id is unique in.'),
}

const metadata: ValueRecord = object(fields, ['id', 'name', 'version', 'description'])

const interfaces = object(
  {
    input: field(interfaceSchema, 'The schema of the input. `parent.input.…` reads from it.'),
    output: field(interfaceSchema, 'The schema of the output. Parents read it as `alias.output.…`.'),
  },
  ['input', 'output'],
)

const version = textLike('^[0-9]+\\.[0-9]+\\.[0-9]+$', 'three numbers, for example "1.0.0"')

/** What a document looks like. Unknown fields pass; what references mean is not its business. */
export const documentSchema: ValueRecord = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Agent Format 1.0',
  ...object(
    {
      schema_version: field(version, 'The version of Agent Format, three numbers.'),
      metadata: field(metadata, 'Who the agent is.'),
      interface: field(interfaces, 'What the agent takes and gives, as JSON Schemas.'),
      execution_policy: field(executionPolicy, 'How the agent runs.'),
      memory: field(memory, 'Whether the agent needs a memory.'),
      constraints: field(constraints, 'Limits that hold whatever the model wants.'),
      action_space: field(actionSpace, 'What the agent may call, and nothing else.'),
    },
    ['schema_version', 'metadata', 'interface', 'execution_policy'],
  ),
}
