import { describe, expect, test } from 'vitest'
import { findings, steps, testRule } from './harness.ts'

describe('known policy', () => {
  const policy = (id: string) => ({ policy: `{ id: ${id}, config: {} }` })

  testRule('OPEN-3', 'unsupported_policy', {
    severity: 'warning',
    valid: [policy('x-acme.swarm'), {}],
    invalid: [
      [policy('agf.foo'), 'execution_policy.id'],
      [policy('react'), 'execution_policy.id'],
      [policy('agf.paralel'), 'execution_policy.id'],
    ],
    message: '"agf.foo" is not a policy of Agent Format 1.0, so no run will start.',
  })

  test('OPEN-3 suggests a similar standard policy', () => {
    for (const id of ['agf.reakt', 'react', 'reakt']) {
      expect(findings('OPEN-3', 'unsupported_policy', policy(id))[0]?.suggestion?.with).toBe('agf.react')
    }
  })
})

describe('known agents', () => {
  const agents = { researcher: {} }
  const conditional = (route: string, fallback: string) => ({
    policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: ${route} }], default_agent: ${fallback} } }`,
    agents,
  })

  testRule('R-12', 'unknown_agent', {
    valid: [{ policy: steps('sequential', ['researcher']), agents }, conditional('researcher', 'researcher')],
    invalid: [
      [{ policy: steps('sequential', ['researchr']), agents }, 'execution_policy.config.steps[0].agent'],
      // Without any action space, and with a name that no alias can have.
      [{ policy: steps('parallel', ['"a-b"']) }, 'execution_policy.config.agents[0].agent'],
      [
        { policy: '{ id: agf.batch, config: { agent: unknown, input_mapping: { x: "parent.input.y.[]" } } }', agents },
        'execution_policy.config.agent',
      ],
      [conditional('unknown', 'researcher'), 'execution_policy.config.routes[0].agent'],
      [conditional('researcher', '""'), 'execution_policy.config.default_agent'],
    ],
    message: 'unknown local agent "researchr". Did you mean "researcher"?',
  })

  testRule('OPEN-25', 'unknown_agent', {
    valid: [
      // The name refers to the local agent.
      {
        policy: steps('sequential', ['a']),
        space: '{ local_agents: [{ alias: a, source: x }], remote_agents: [{ alias: a }] }',
      },
    ],
    invalid: [
      [
        { policy: steps('sequential', ['far']), space: '{ remote_agents: [{ alias: far }] }' },
        'execution_policy.config.steps[0].agent',
      ],
    ],
    message: '"far" is a remote agent; agf.sequential can only run local agents',
  })
})

describe('batch', () => {
  const agents = { a: {} }
  const batch = (mapping: string) => ({
    policy: `{ id: agf.batch, config: { agent: a, input_mapping: { ${mapping} } } }`,
    agents,
  })

  testRule('R-21', 'batch_without_iteration', {
    valid: [
      batch('x: "parent.input.items.[]"'),
      batch('x: "parent.input.items.[].a", y: parent.input.b'),
      // The grammar check reports the missing dot.
      batch('x: "parent.input.items[]"'),
    ],
    invalid: [
      [batch('x: parent.input.items'), 'execution_policy.config.input_mapping'],
      [batch(''), 'execution_policy.config.input_mapping'],
    ],
    message: 'use "[]"',
  })

  testRule('P-08', 'batch_prefix_mismatch', {
    valid: [
      batch('name: "parent.input.items.[].name", value: "parent.input.items.[].value", all: parent.input.prices'),
      batch('name: "parent.input.items.[]"'),
    ],
    invalid: [
      [
        batch('name: "parent.input.items.[].name", price: "parent.input.prices.[].amount"'),
        'execution_policy.config.input_mapping.price',
      ],
      [batch('a: "parent.input.x.y.[]", b: "parent.input.x.[].y"'), 'execution_policy.config.input_mapping.b'],
    ],
    message:
      'all fields must iterate over the same list: this field uses "parent.input.prices", another one "parent.input.items"',
  })

  test('OPEN-13: different lists are rejected even if their lengths must be equal', () => {
    const lists = '{ type: array, minItems: 2, maxItems: 2 }'
    const parts = {
      ...batch('a: "parent.input.x.[]", b: "parent.input.y.[]"'),
      input: `{ type: object, properties: { x: ${lists}, y: ${lists} } }`,
    }
    expect(findings('P-08', 'batch_prefix_mismatch', parts)).toHaveLength(1)
  })

  const batchGiving = (output: string) => ({
    output,
    policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
    agents,
  })

  testRule('OPEN-32', 'batch_output_shape', {
    valid: [
      batchGiving('{ type: array }'),
      batchGiving('{}'),
      batchGiving('{ type: object, properties: { results: { type: array }, others: { type: array } } }'),
      batchGiving('{ type: object, properties: { answers: { type: array }, note: { type: string } } }'),
      // Other policies may return anything.
      { output: '{ type: string }' },
    ],
    invalid: [
      [batchGiving('{ type: string }'), 'interface.output'],
      [batchGiving('{ type: object }'), 'interface.output'],
      [batchGiving('{ type: object, properties: { a: { type: array }, b: { type: array } } }'), 'interface.output'],
      [batchGiving('{ type: object, properties: { results: { type: string } } }'), 'interface.output'],
    ],
    message: 'a batch returns a list',
  })
})
