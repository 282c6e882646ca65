import { steps, testRule } from '../harness.ts'

const agents = { text: { input: '{ type: string }' }, open: { input: '{}' }, object: {} }

testRule('OPEN-14', 'type_mismatch', {
  valid: [
    // Without a mapping the whole input is passed on.
    { policy: steps('sequential', ['text']), agents },
    { policy: steps('sequential', ['open <- x: parent.input.x', 'object <- x: parent.input.x']), agents },
  ],
  invalid: [
    [
      { policy: steps('sequential', ['object <- x: parent.input.x', 'text <- x: parent.input.x']), agents },
      'execution_policy.config.steps[1].input_mapping',
    ],
    // An empty mapping is a mapping: the sub-agent gets {}.
    [{ policy: steps('parallel', ['text <- ']), agents }, 'execution_policy.config.agents[0].input_mapping'],
  ],
  message: 'an input_mapping creates an object, but the input of "text" is string',
})
