import { steps, testRule } from '../harness.ts'

const agents = { writer: {}, editor: {}, last: {} }
const at = 'execution_policy.config.output_from'

testRule('OPEN-29', 'invalid_output_from', {
  valid: [
    { policy: steps('sequential', ['writer'], 'output_from: writer'), agents },
    { policy: steps('sequential', ['writer', 'writer'], 'output_from: { agent: writer }'), agents },
    // A keyword is a strategy; the object form reaches the agent of that name.
    { policy: steps('sequential', ['writer'], 'output_from: last'), agents },
    { policy: steps('sequential', ['last'], 'output_from: { agent: last }'), agents },
    { policy: steps('loop', ['writer'], 'output_from: { custom_transform: acme.join }'), agents },
  ],
  invalid: [
    [{ policy: steps('sequential', ['writer'], 'output_from: writr'), agents }, at],
    [{ policy: steps('sequential', ['writer'], 'output_from: editor'), agents }, at],
    [{ policy: steps('sequential', ['writer'], 'output_from: { agent: "" }'), agents }, at],
    [{ policy: steps('parallel', ['writer', 'writer'], 'output_from: writer'), agents }, at],
  ],
  message: 'no step runs "writr". Did you mean "writer"?',
})
