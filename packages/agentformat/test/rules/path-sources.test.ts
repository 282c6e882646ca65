import { describe, expect, test } from 'vitest'
import { findings, object, steps, testRule } from './harness.ts'

describe('known sources', () => {
  const agents = { researcher: {}, writer: {} }
  const second = (text: string) => ({ policy: steps('sequential', ['researcher', `writer <- x: ${text}`]), agents })
  const at = 'execution_policy.config.steps[1].input_mapping.x'

  testRule('P-02', 'unknown_agent', {
    valid: [second('parent.input.query'), second('researcher.output.findings'), second('writer.output.x')],
    invalid: [
      [second('researchr.output.findings'), at],
      [
        { policy: steps('loop', ['researcher'], 'exit_condition: { args_match: { unknown.output.x: 1 } }'), agents },
        'execution_policy.config.exit_condition.args_match.unknown.output.x',
      ],
      [
        {
          policy:
            '{ id: agf.conditional, config: { routes: [{ when: { args_match: { x.output.y: 1 } }, agent: writer }] } }',
          agents,
        },
        'execution_policy.config.routes[0].when.args_match.x.output.y',
      ],
    ],
    message: 'unknown local agent "researchr". Did you mean "researcher"?',
  })

  test('P-02: a remote agent is not a source', () => {
    const remote = {
      policy: steps('sequential', ['a <- x: far.output.y']),
      space: '{ local_agents: [{ alias: a, source: ./a.agf.yaml }], remote_agents: [{ alias: far }] }',
      agents: { a: {} },
    }
    expect(findings('P-02', 'unknown_agent', remote)[0]?.message).toContain('"far" is a remote agent')
  })
})

describe('no parent output', () => {
  const agents = { a: {} }

  testRule('OPEN-7', 'dependency_order', {
    valid: [
      { policy: steps('sequential', ['a <- x: parent.input.y', 'a <- x: a.output.y']), agents },
      // P-20 checks conditions on delegations.
      {
        space:
          '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { parent.output.y: 1 } } } }] }',
      },
    ],
    invalid: [
      [
        { policy: steps('sequential', ['a <- x: parent.output.y']), agents },
        'execution_policy.config.steps[0].input_mapping.x',
      ],
      [
        { policy: steps('loop', ['a'], 'exit_condition: { args_match: { parent.output.y: 1 } }'), agents },
        'execution_policy.config.exit_condition.args_match.parent.output.y',
      ],
    ],
    message: 'this agent has no output until its policy has finished',
  })
})

describe('declared fields', () => {
  const input =
    '{ type: object, properties: { query: { type: string }, items: { type: array, items: { $ref: "#/$defs/item" } } }, $defs: { item: { properties: { price: {} } } } }'
  const agents = { a: { output: object('findings: string') }, b: {} }
  const sequence = (text: string) => ({ input, policy: steps('sequential', ['a', `b <- x: ${text}`]), agents })
  const at = 'execution_policy.config.steps[1].input_mapping.x'
  const batch = (text: string) => ({
    input,
    policy: `{ id: agf.batch, config: { agent: b, input_mapping: { x: "${text}" } } }`,
    agents,
  })

  testRule('P-04', 'unresolved_field', {
    severity: 'warning',
    valid: [
      sequence('parent.input.query'),
      sequence('a.output.findings'),
      batch('parent.input.items.[].price'),
      // Without the sub-agent there is no schema to compare with.
      { ...sequence('a.output.nothing'), space: '{ local_agents: [{ alias: a, source: x }] }', agents: {} },
      // OPEN-7 reports this one.
      sequence('parent.output.nothing'),
    ],
    invalid: [
      [sequence('parent.input.qery'), at],
      [sequence('a.output.findings.text'), at],
      [batch('parent.input.query.[]'), 'execution_policy.config.input_mapping.x'],
      [batch('parent.input.items.[].prize'), 'execution_policy.config.input_mapping.x'],
      [
        { input, policy: steps('loop', ['a'], 'exit_condition: { args_match: { a.output.score: 1 } }'), agents },
        'execution_policy.config.exit_condition.args_match.a.output.score',
      ],
      [
        {
          input,
          space:
            '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { parent.input.sum: 1 } } } }] }',
        },
        'action_space.local_agents[0].approval.condition.args_match.parent.input.sum',
      ],
    ],
    message: '"qery" is not declared in parent.input; the run fails if it is missing. Did you mean "query"?',
  })

  test('P-04 has a low level for a schema without declared fields', () => {
    const open = { policy: steps('sequential', ['b <- x: parent.input.query']), agents }
    expect(findings('P-04', 'unresolved_field', open)).toMatchObject([{ severity: 'warning', level: 'info' }])
    expect(findings('P-04', 'unresolved_field', sequence('parent.input.qery'))[0]).not.toHaveProperty('level')
    // A value that is not an object certainly has no fields, so this is not about an open schema.
    expect(findings('P-04', 'unresolved_field', sequence('a.output.findings.text'))[0]).not.toHaveProperty('level')
  })
})
