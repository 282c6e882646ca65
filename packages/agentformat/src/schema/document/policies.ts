/** Document schemas of execution policies. */
import type { ValueRecord } from '@joust/source'
import { outputStrategies, type StandardPolicyId } from '../../model/policy.ts'
import { conditions } from './conditions.ts'
import { field, filledList, filledText, object, text, textMap, texts, wholeFrom } from './parts.ts'

const agent = field(filledText, 'The alias of a local agent.')
const inputMapping = field(textMap, "Path expressions by field of the sub-agent's input.")

const step = object({ agent, input_mapping: inputMapping }, ['agent'])

const outputs: ValueRecord = {
  ...object({
    agent: field(text, 'The alias of the sub-agent that provides the output.'),
    strategy: field(
      { type: 'string', enum: outputStrategies },
      'The strategy that combines the outputs of sub-agents.',
    ),
    custom_transform: field(text, 'The host function that creates the output.'),
    description: field(text, 'A description of the output.'),
  }),
  oneOf: [{ required: ['agent'] }, { required: ['strategy'] }, { required: ['custom_transform'] }],
  description: 'set one of "agent", "strategy" and "custom_transform"',
}

const outputFrom = field({ oneOf: [filledText, outputs] }, 'The source of the output: a sub-agent alias or a strategy.')

const toolChoices = { type: 'string', enum: ['auto', 'required', 'none'] }

// biome-ignore format: a row is a line
const react = object({
  instructions: field(filledText, 'The system prompt.'),
  model: field(filledText, 'The model id.'),
  provider: field(text, 'The model provider.'),
  temperature: field({ type: 'number', minimum: 0, maximum: 2 }, 'The sampling temperature, from 0 to 2.'),
  top_p: field({ type: 'number', minimum: 0, maximum: 1 }, 'The probability mass for nucleus sampling, from 0 to 1.'),
  top_k: field(wholeFrom(1), 'The number of most likely tokens to sample from.'),
  max_output_tokens: field(wholeFrom(1), 'The maximum number of tokens in a response.'),
  stop_sequences: field(texts, 'Strings that end the response.'),
  max_steps: field(wholeFrom(1), 'The maximum number of model turns.'),
  tool_choice: field(toolChoices, 'Tool calls: allowed (`auto`), required or none.'),
  user_prompt_template: field(text, 'The user prompt; `{{field}}` is replaced with an input field.'),
}, ['instructions', 'model'])

const steps = field(filledList(step), 'Sub-agents that run in sequence.')

const loop = object(
  {
    steps,
    max_iterations: field(wholeFrom(1), 'The maximum number of iterations.'),
    exit_condition: field(conditions, 'The condition that ends the loop.'),
    output_from: outputFrom,
  },
  ['steps'],
)

const parallel = object(
  { agents: field(filledList(step), 'Sub-agents that run in parallel.'), output_from: outputFrom },
  ['agents'],
)

const batch = object(
  {
    agent: field(filledText, 'The sub-agent that runs for each item.'),
    input_mapping: inputMapping,
    max_batch_count: field(wholeFrom(0), 'The maximum number of items.'),
  },
  ['agent', 'input_mapping'],
)

const route = object(
  { when: field(conditions, 'Path expressions and the values to match.'), agent, input_mapping: inputMapping },
  ['when', 'agent'],
)

// biome-ignore format: a row is a line
const conditional = object({
  routes: field(filledList(route), 'Conditions and the sub-agents to run; the first match wins.'),
  default_agent: field(text, 'The sub-agent to run if no route matches.'),
}, ['routes'])

export const policyConfigs: { readonly [Id in StandardPolicyId]: ValueRecord } = {
  'agf.react': react,
  'agf.sequential': object({ steps, output_from: outputFrom }, ['steps']),
  'agf.parallel': parallel,
  'agf.loop': loop,
  'agf.batch': batch,
  'agf.conditional': conditional,
}

/** The schema of the execution policy. A vendor policy may have any configuration. */
export const executionPolicy: ValueRecord = {
  ...object(
    {
      id: field(filledText, 'The policy id: a standard policy (`agf.…`) or a vendor policy (`x-…`).'),
      config: field({ type: 'object' }, 'The configuration of the policy.'),
    },
    ['id', 'config'],
  ),
  allOf: Object.entries(policyConfigs).map(([id, config]) => ({
    if: { required: ['id'], properties: { id: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { config } },
  })),
}
