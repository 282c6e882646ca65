import type { ValueRecord } from '@joust/source'
import { outputStrategies, type StandardPolicyId } from '../../model/policy.ts'
import { conditions } from './conditions.ts'
import { filledList, filledText, object, text, textMap, texts, wholeFrom } from './parts.ts'

const step = object({ agent: filledText, input_mapping: textMap }, ['agent'])

const outputFrom: ValueRecord = {
  oneOf: [
    filledText,
    {
      ...object({
        agent: text,
        strategy: { type: 'string', enum: outputStrategies },
        custom_transform: text,
        description: text,
      }),
      oneOf: [{ required: ['agent'] }, { required: ['strategy'] }, { required: ['custom_transform'] }],
      description: 'set one of "agent", "strategy" and "custom_transform"',
    },
  ],
}

const react = object(
  {
    instructions: filledText,
    model: filledText,
    provider: text,
    temperature: { type: 'number', minimum: 0, maximum: 2 },
    top_p: { type: 'number', minimum: 0, maximum: 1 },
    top_k: wholeFrom(1),
    max_output_tokens: wholeFrom(1),
    stop_sequences: texts,
    max_steps: wholeFrom(1),
    tool_choice: { type: 'string', enum: ['auto', 'required', 'none'] },
    user_prompt_template: text,
  },
  ['instructions', 'model'],
)

const loop = object(
  {
    steps: filledList(step),
    max_iterations: wholeFrom(1),
    exit_condition: conditions,
    output_from: outputFrom,
  },
  ['steps'],
)

const batch = object({ agent: filledText, input_mapping: textMap, max_batch_count: wholeFrom(0) }, [
  'agent',
  'input_mapping',
])

const route = object({ when: conditions, agent: filledText, input_mapping: textMap }, ['when', 'agent'])

/** The configuration of each standard policy. */
export const policyConfigs: { readonly [Id in StandardPolicyId]: ValueRecord } = {
  'agf.react': react,
  'agf.sequential': object({ steps: filledList(step), output_from: outputFrom }, ['steps']),
  'agf.parallel': object({ agents: filledList(step), output_from: outputFrom }, ['agents']),
  'agf.loop': loop,
  'agf.batch': batch,
  'agf.conditional': object({ routes: filledList(route), default_agent: text }, ['routes']),
}

/** How the agent runs. Any other id goes with any object: it is its vendor's business. */
export const executionPolicy: ValueRecord = {
  ...object({ id: filledText, config: { type: 'object' } }, ['id', 'config']),
  allOf: Object.entries(policyConfigs).map(([id, config]) => ({
    if: { required: ['id'], properties: { id: { const: id } } },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { config } },
  })),
}
