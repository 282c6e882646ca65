import type { ValueRecord } from '@joust/source'
import { outputStrategies, type StandardPolicyId } from '../../model/policy.ts'
import { conditions } from './conditions.ts'
import { field, filledList, filledText, object, text, textMap, texts, wholeFrom } from './parts.ts'

const agent = field(filledText, 'The alias of a local agent.')
const inputMapping = field(textMap, "Fields of the sub-agent's input, and path expressions that fill them.")

const step = object({ agent, input_mapping: inputMapping }, ['agent'])

const outputs: ValueRecord = {
  ...object({
    agent: field(text, 'The alias of the sub-agent whose output it is.'),
    strategy: field({ type: 'string', enum: outputStrategies }, 'How the outputs of sub-agents become one.'),
    custom_transform: field(text, 'A function of the host that makes the output.'),
    description: field(text, 'What the output is, for people.'),
  }),
  oneOf: [{ required: ['agent'] }, { required: ['strategy'] }, { required: ['custom_transform'] }],
  description: 'set one of "agent", "strategy" and "custom_transform"',
}

const outputFrom = field(
  { oneOf: [filledText, outputs] },
  'Where the output comes from: the alias of a sub-agent, or a strategy.',
)

const toolChoices = { type: 'string', enum: ['auto', 'required', 'none'] }

// biome-ignore format: a row is a line
const react = object({
  instructions: field(filledText, 'What the model is told before everything else.'),
  model: field(filledText, 'The model that answers.'),
  provider: field(text, 'Who offers the model.'),
  temperature: field({ type: 'number', minimum: 0, maximum: 2 }, 'How freely the model chooses its words, from 0 to 2.'),
  top_p: field({ type: 'number', minimum: 0, maximum: 1 }, 'The share of likely words that the model chooses from, from 0 to 1.'),
  top_k: field(wholeFrom(1), 'The number of likely words that the model chooses from.'),
  max_output_tokens: field(wholeFrom(1), 'How many tokens an answer of the model has at most.'),
  stop_sequences: field(texts, 'Texts after which the model stops.'),
  max_steps: field(wholeFrom(1), 'How many turns the model gets.'),
  tool_choice: field(toolChoices, 'Whether the model may, must or must not call a tool.'),
  user_prompt_template: field(text, 'The prompt; `{{field}}` is a field of the input.'),
}, ['instructions', 'model'])

const steps = field(filledList(step), 'Sub-agents, one after the other.')

const loop = object(
  {
    steps,
    max_iterations: field(wholeFrom(1), 'How many times a loop runs at most.'),
    exit_condition: field(conditions, 'When a loop is done.'),
    output_from: outputFrom,
  },
  ['steps'],
)

const parallel = object({ agents: field(filledList(step), 'Sub-agents, side by side.'), output_from: outputFrom }, [
  'agents',
])

const batch = object(
  {
    agent: field(filledText, 'The sub-agent that runs for each item.'),
    input_mapping: inputMapping,
    max_batch_count: field(wholeFrom(0), 'How many items a batch takes at most.'),
  },
  ['agent', 'input_mapping'],
)

const route = object(
  { when: field(conditions, 'Path expressions and what they have to be.'), agent, input_mapping: inputMapping },
  ['when', 'agent'],
)

// biome-ignore format: a row is a line
const conditional = object({
  routes: field(filledList(route), 'Conditions and the sub-agent that runs when one holds; the first that fits counts.'),
  default_agent: field(text, 'The sub-agent that runs when no route fits.'),
}, ['routes'])

/** The configuration of each standard policy. */
export const policyConfigs: { readonly [Id in StandardPolicyId]: ValueRecord } = {
  'agf.react': react,
  'agf.sequential': object({ steps, output_from: outputFrom }, ['steps']),
  'agf.parallel': parallel,
  'agf.loop': loop,
  'agf.batch': batch,
  'agf.conditional': conditional,
}

/** How the agent runs. Any other id goes with any object: it is its vendor's business. */
export const executionPolicy: ValueRecord = {
  ...object(
    {
      id: field(filledText, "The policy: a standard one (`agf.…`), or a vendor's."),
      config: field({ type: 'object' }, 'What the policy needs to know.'),
    },
    ['id', 'config'],
  ),
  allOf: Object.entries(policyConfigs).map(([id, config]) => ({
    if: { required: ['id'], properties: { id: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { config } },
  })),
}
