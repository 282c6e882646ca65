import { describe, expect, test } from 'vitest'
import { walkAgent } from '../../src/rules/walk.ts'
import { agentOf, agentText, findings, steps, testRule } from './harness.ts'

describe('grammar', () => {
  const agents = { a: {}, b: {} }
  const mapping = (text: string) => ({ policy: steps('sequential', [`a <- x: "${text}"`]), agents })
  const at = 'execution_policy.config.steps[0].input_mapping.x'
  const when = (key: string) => ({
    policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: { "${key}": 1 } }, agent: a }] } }`,
    agents,
  })

  testRule('P-01', 'invalid_path_expression', {
    valid: [mapping('parent.input.query'), when('parent.input.config.nested.key')],
    invalid: [
      [mapping('hello'), at],
      [mapping('parent.input'), at],
      [mapping('parent.query.x'), at],
      [mapping('parent.input.items[0]'), at],
      [mapping('parent.input.my-field'), at],
      [when('kind'), 'execution_policy.config.routes[0].when.args_match.kind'],
      [
        { policy: steps('loop', ['a'], 'exit_condition: [{ args_match: { a.output: 1 } }]'), agents },
        'execution_policy.config.exit_condition[0].args_match.a.output',
      ],
      [
        { policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.[].y" } } }', agents },
        'execution_policy.config.input_mapping.x',
      ],
    ],
    message: '"hello" has only a source; expected source.input.field',
  })

  test('P-19: other strings are not path expressions', () => {
    const space = '{ local_tools: [{ alias: t, approval: { condition: { args_match: { "not a path": 1 } } } }] }'
    expect(findings('P-01', 'invalid_path_expression', { space })).toEqual([])
    const vendor = { policy: '{ id: x-acme.swarm, config: { steps: [{ agent: a, input_mapping: { x: hello } }] } }' }
    expect(findings('P-01', 'invalid_path_expression', vendor)).toEqual([])
    expect(walkAgent(agentOf({ space })).pathSites).toEqual([])
  })

  test('P-01 points at the value of a mapping and at the key of a condition', () => {
    for (const [parts, text] of [
      [mapping('hello'), '"hello"'],
      [when('kind'), '"kind"'],
    ] as const) {
      const [finding] = findings('P-01', 'invalid_path_expression', parts)
      const line = agentText(parts).split('\n')[(finding?.line ?? 0) - 1] ?? ''
      expect(line.slice((finding?.column ?? 0) - 1, (finding?.end_column ?? 0) - 1)).toBe(text)
    }
  })

  const batch = (text: string) => ({
    policy: `{ id: agf.batch, config: { agent: a, input_mapping: { x: "${text}" } } }`,
    agents,
  })

  testRule('P-07', 'invalid_path_expression', {
    valid: [batch('parent.input.items.[].value')],
    invalid: [
      [batch('parent.input.matrix.[].rows.[].value'), 'execution_policy.config.input_mapping.x'],
      [
        {
          space:
            '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { "parent.input.a.[].b.[]": 1 } } } }] }',
        },
        'action_space.local_agents[0].approval.condition.args_match.parent.input.a.[].b.[]',
      ],
    ],
    message: 'a path has at most one "[]"',
  })
})

describe('iteration only in batch', () => {
  const agents = { a: {} }
  const route = (when: string, mapping: string) => ({
    policy: `{ id: agf.conditional, config: { routes: [{ when: { args_match: { "${when}": 1 } }, agent: a, input_mapping: { x: "${mapping}" } }] } }`,
    agents,
  })

  testRule('P-11', 'invalid_path_expression', {
    valid: [
      { policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }', agents },
      route('parent.input.x', 'parent.input.y'),
    ],
    invalid: [
      [
        { policy: steps('sequential', ['a <- x: "parent.input.items.[].value"']), agents },
        'execution_policy.config.steps[0].input_mapping.x',
      ],
      [
        { policy: steps('parallel', ['a <- x: "parent.input.items.[]"']), agents },
        'execution_policy.config.agents[0].input_mapping.x',
      ],
      [route('parent.input.x', 'parent.input.items.[]'), 'execution_policy.config.routes[0].input_mapping.x'],
      [
        route('parent.input.items.[]', 'parent.input.y'),
        'execution_policy.config.routes[0].when.args_match.parent.input.items.[]',
      ],
      [
        { policy: steps('loop', ['a'], 'exit_condition: { args_match: { "a.output.items.[].x": 1 } }'), agents },
        'execution_policy.config.exit_condition.args_match.a.output.items.[].x',
      ],
      [
        {
          space:
            '{ local_agents: [{ alias: a, source: x, approval: { condition: { args_match: { "parent.input.a.[]": 1 } } } }] }',
        },
        'action_space.local_agents[0].approval.condition.args_match.parent.input.a.[]',
      ],
    ],
    message: '"[]" is allowed only in the input_mapping of agf.batch',
  })
})

describe('iterated lists', () => {
  const agents = { a: {} }
  const batch = (input: string) => ({
    input,
    policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.items.[]" } } }',
    agents,
  })

  const text = '{ type: object, properties: { n: { type: integer }, items: { type: string } } }'

  testRule('P-06', 'type_mismatch', {
    valid: [
      batch('{ type: object, properties: { items: { type: array } } }'),
      batch('{ type: object, properties: { items: { type: [array, "null"] } } }'),
      batch('{ type: object }'),
      // P-11 reports "[]" elsewhere, and without the sub-agent nothing is known.
      { ...batch(text), policy: steps('sequential', ['a <- x: "parent.input.items.[]"']) },
      { ...batch(text), policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "b.output.items.[]" } } }' },
      batch('{ anyOf: [{ properties: { items: { type: string } } }, {}] }'),
    ],
    invalid: [
      [batch(text), 'execution_policy.config.input_mapping.x'],
      [
        {
          ...batch(text),
          policy:
            '{ id: agf.batch, config: { agent: a, input_mapping: { n: parent.input.n, x: "parent.input.items.[]" } } }',
        },
        'execution_policy.config.input_mapping.x',
      ],
      [
        batch('{ type: object, properties: { items: { enum: [1, { a: 2 }] } } }'),
        'execution_policy.config.input_mapping.x',
      ],
    ],
    message: '"[]" requires a list, but the schema declares string',
  })
})
