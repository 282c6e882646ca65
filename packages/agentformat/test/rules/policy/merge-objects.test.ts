import { steps, testRule } from '../harness.ts'

const agents = { text: { output: '{ type: string }' }, open: { output: '{}' }, object: {} }

testRule('OPEN-27', 'type_mismatch', {
  valid: [
    { policy: steps('parallel', ['open', 'object']), agents },
    { policy: steps('parallel', ['text'], 'output_from: first'), agents },
  ],
  invalid: [
    [{ policy: steps('parallel', ['object', 'text']), agents }, 'execution_policy.config.agents[1].agent'],
    [{ policy: steps('loop', ['text'], 'output_from: merge'), agents }, 'execution_policy.config.steps[0].agent'],
  ],
  message: 'only objects can be merged, and "text" gives string',
})
