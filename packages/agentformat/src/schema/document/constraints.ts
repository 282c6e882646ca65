import type { ValueRecord } from '@joust/source'
import { flag, object, text, wholeFrom } from './parts.ts'

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
export const constraints: ValueRecord = object({
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
export const memory: ValueRecord = object({ required: flag })
