import { steps, testRule } from '../harness.ts'

const agents = { a: {}, b: {}, c: {} }
const loop = (...list: string[]) => ({ policy: steps('loop', list), agents })

testRule('OPEN-30', 'dependency_order', {
  valid: [
    loop('a', 'b <- x: a.output.y'),
    // An agent that is not a step is P-03's finding.
    loop('a <- x: c.output.y'),
  ],
  invalid: [
    [loop('a <- x: b.output.y', 'b'), 'execution_policy.config.steps[0].input_mapping.x'],
    [loop('a <- x: a.output.y'), 'execution_policy.config.steps[0].input_mapping.x'],
  ],
  message: 'nothing is carried over from the iteration before',
})
