import { expect, test } from 'vitest'
import { findings, steps, testRule } from './harness.ts'

const agents = { a: {}, b: {}, c: {} }
const sequence = (...list: string[]) => ({ policy: steps('sequential', list), agents })
const at = (index: number) => `execution_policy.config.steps[${index}].input_mapping.x`

testRule('P-03', 'dependency_order', {
  valid: [
    sequence('a', 'b <- x: a.output.y', 'c <- x: b.input.y'),
    // OPEN-12: one earlier step with the alias is enough.
    sequence('a', 'b', 'a <- x: a.output.y'),
    { policy: steps('loop', ['a', 'b <- x: a.output.y'], 'exit_condition: { args_match: { b.output.y: 1 } }'), agents },
  ],
  invalid: [
    // A later step, the step itself, an agent that never runs.
    [sequence('a <- x: b.output.y', 'b'), at(0)],
    [sequence('a <- x: a.input.y'), at(0)],
    [sequence('a', 'b <- v: parent.input.y, w: a.output.y, x: c.output.y'), at(1)],
    [
      { policy: steps('parallel', ['a', 'b <- x: a.output.y']), agents },
      'execution_policy.config.agents[1].input_mapping.x',
    ],
    [
      { policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "b.output.list.[]" } } }', agents },
      'execution_policy.config.input_mapping.x',
    ],
    [
      {
        policy:
          '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: a, input_mapping: { x: b.output.y } }] } }',
        agents,
      },
      'execution_policy.config.routes[0].input_mapping.x',
    ],
    [
      { policy: steps('loop', ['a'], 'exit_condition: { args_match: { b.output.y: 1 } }'), agents },
      'execution_policy.config.exit_condition.args_match.b.output.y',
    ],
  ],
  message: '"b" has not run yet: no earlier step runs this agent',
})

test('P-03: agents of agf.parallel cannot read each other', () => {
  const siblings = { policy: steps('parallel', ['a', 'b <- x: a.output.y']), agents }
  expect(findings('P-03', 'dependency_order', siblings)[0]?.message).toContain('run concurrently')
})

const loop = (...list: string[]) => ({ policy: steps('loop', list), agents })

testRule('OPEN-30', 'dependency_order', {
  valid: [
    loop('a', 'b <- x: a.output.y'),
    // P-03 reports an agent that is not a step.
    loop('a <- x: c.output.y'),
  ],
  invalid: [
    [loop('a <- x: b.output.y', 'b'), 'execution_policy.config.steps[0].input_mapping.x'],
    [loop('a <- x: a.output.y'), 'execution_policy.config.steps[0].input_mapping.x'],
  ],
  message: 'outputs of the previous iteration are not kept',
})

const when = (key: string) => ({
  policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: { ${key}: 1 } }, agent: a }] } }`,
  agents,
})

testRule('P-21', 'dependency_order', {
  valid: [when('parent.input.kind')],
  invalid: [[when('b.output.kind'), 'execution_policy.config.routes[0].when.args_match.b.output.kind']],
  message: '"when" can only read parent.input',
})
