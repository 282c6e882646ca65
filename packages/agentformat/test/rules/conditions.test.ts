import { defaultLimits } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { runRules } from '../../src/rules/run.ts'
import { agentRules } from '../../src/rules/table.ts'
import { agentOf, findings, steps, testRule } from './harness.ts'

describe('empty groups', () => {
  const loop = (condition: string) => ({
    policy: steps('loop', ['a'], `exit_condition: ${condition}`),
    agents: { a: {} },
  })
  const at = 'execution_policy.config.exit_condition'

  testRule('OPEN-17', 'empty_condition', {
    severity: 'warning',
    // An empty group that is written out is intended.
    valid: [loop('{ args_match: {} }'), loop('[{ args_match: { a.output.x: 1 } }]')],
    invalid: [
      [loop('{ arg_match: { a.output.x: 1 } }'), `${at}.arg_match`],
      [loop('{}'), at],
      [loop('[{ args_match: {} }, {}]'), `${at}[1]`],
      [
        {
          policy: '{ id: agf.conditional, config: { routes: [{ when: {}, agent: a }] } }',
          agents: { a: {} },
        },
        'execution_policy.config.routes[0].when',
      ],
      [
        { space: '{ local_tools: [{ alias: a, approval: { condition: {} } }] }' },
        'action_space.local_tools[0].approval.condition',
      ],
    ],
    message: 'has no args_match. Did you mean "args_match"?',
  })

  test('OPEN-17 has a high level', () => {
    expect(findings('OPEN-17', 'empty_condition', loop('{}'))).toMatchObject([{ level: 'high' }])
  })
})

describe('matchers', () => {
  const matching = (matcher: string) => ({
    space: `{ local_tools: [{ alias: a, approval: { condition: { args_match: { x: ${matcher} } } } }] }`,
  })
  const matched = 'action_space.local_tools[0].approval.condition.args_match.x'

  testRule('OPEN-16', 'empty_condition', {
    severity: 'warning',
    valid: [matching('{ gte: 1, lt: 5 }'), matching('""'), matching('{ in: [1], not_in: [2] }')],
    invalid: [
      [matching('{}'), matched],
      [matching('{ in: [] }'), `${matched}.in`],
      [matching('{ not_in: [], ne: 1 }'), `${matched}.not_in`],
    ],
    message: 'a matcher without operators matches every value',
  })

  const group = (pattern: string) => `{ args_match: { x: { pattern: '${pattern}' } } }`
  const tool = (...patterns: string[]) => ({
    space: `{ local_tools: [{ alias: a, approval: { condition: [${patterns.map(group).join(', ')}] } }] }`,
  })
  const at = (index: number) => `action_space.local_tools[0].approval.condition[${index}].args_match.x.pattern`

  testRule('OPEN-21', 'invalid_pattern', {
    valid: [tool('^a+b?$', 'DROP|DELETE', '\\d{3}'), {}],
    invalid: [
      [tool('('), at(0)],
      // RE2 has neither look-around nor back-references.
      [tool('a', '(?=b)', '(a)\\1'), at(1), at(2)],
      [
        {
          policy: steps('loop', ['a'], 'exit_condition: { args_match: { a.output.x: { pattern: "[" } } }'),
          agents: { a: {} },
        },
        'execution_policy.config.exit_condition.args_match.a.output.x.pattern',
      ],
    ],
    message: 'invalid RE2 pattern',
  })

  test('OPEN-21: too many patterns end the check with a finding', () => {
    const rows = agentRules.filter((row) => row.rule === 'OPEN-21')
    const limits = { ...defaultLimits, documentExpressions: 2 }
    const diagnostics = runRules(rows, agentOf(tool('a', 'b', 'a', 'c', '(')), { limits })
    expect(diagnostics.map(({ path }) => path)).toEqual([at(3)])
    expect(diagnostics[0]?.message).toContain('more than 2 different patterns')
  })
})

describe('argument keys', () => {
  const condition = (key: string) => `approval: { condition: { args_match: { "${key}": 5 } } }`
  const tool = (key: string) => ({ space: `{ local_tools: [{ alias: t, ${condition(key)} }] }` })
  const agent = 'local_agents: [{ alias: clerk, source: ./clerk.agf.yaml }]'
  const at = 'action_space.local_tools[0].approval.condition.args_match'

  testRule('OPEN-39', 'invalid_path_expression', {
    valid: [
      tool('amount'),
      // An argument may have dots and brackets in its name.
      tool('a.b'),
      tool('user.input.name'),
      tool('filter[name]'),
      tool('list[]'),
      tool('parent'),
      { space: `{ local_agents: [{ alias: a, source: ./a.agf.yaml, ${condition('parent.input.amount')} }] }` },
      { space: `{ remote_agents: [{ alias: a, ${condition('parent.input.amount')} }] }` },
    ],
    invalid: [
      [tool('parent.input.amount'), `${at}.parent.input.amount`],
      [tool('parent.output.amount'), `${at}.parent.output.amount`],
      [tool('items.[].x'), `${at}.items.[].x`],
      [tool('[].x'), `${at}.[].x`],
      [
        { space: `{ local_tools: [{ alias: t, ${condition('clerk.output.amount')} }], ${agent} }` },
        `${at}.clerk.output.amount`,
      ],
      [
        { space: `{ mcp_servers: [{ alias: s, ${condition('parent.input.amount')} }] }` },
        'action_space.mcp_servers[0].approval.condition.args_match.parent.input.amount',
      ],
      [
        { space: `{ mcp_servers: [{ alias: s, allowed_tools: [{ name: pay, ${condition('items.[].x')} }] }] }` },
        'action_space.mcp_servers[0].allowed_tools[0].approval.condition.args_match.items.[].x',
      ],
      [
        { space: `{ remote_agents: [{ alias: s, allowed_skills: [{ id: pay, ${condition('items.[].x')} }] }] }` },
        'action_space.remote_agents[0].allowed_skills[0].approval.condition.args_match.items.[].x',
      ],
    ],
    severity: 'warning',
    message: 'got the path "parent.input.amount", which never matches. Did you mean "amount"?',
  })
})

describe('delegation keys', () => {
  const local = (key: string) => ({
    space: `{ local_agents: [{ alias: a, source: ./a.agf.yaml, approval: { condition: { args_match: { "${key}": 5 } } } }] }`,
  })
  const at = 'action_space.local_agents[0].approval.condition.args_match'

  testRule('P-20', 'invalid_path_expression', {
    valid: [
      local('parent.input.amount'),
      local('parent.input.order.amount'),
      // Arguments of a call are plain names, with or without dots (OPEN-39).
      { space: '{ local_tools: [{ alias: a, approval: { condition: { args_match: { amount: 5, "a.b": 1 } } } }] }' },
      {
        space:
          '{ remote_agents: [{ alias: a, allowed_skills: [{ id: s, approval: { condition: { args_match: { amount: 5 } } } }] }] }',
      },
    ],
    invalid: [
      [local('amount'), `${at}.amount`],
      [local('parent.output.amount'), `${at}.parent.output.amount`],
      [local('a.input.amount'), `${at}.a.input.amount`],
      [
        { space: '{ remote_agents: [{ alias: a, approval: { condition: [{ args_match: { amount: 5 } }] } }] }' },
        'action_space.remote_agents[0].approval.condition[0].args_match.amount',
      ],
    ],
    message: 'write "parent.input.amount" instead of "amount"',
  })

  test('P-20, A-09, OPEN-39: the message for a key without a name shows the expected form', () => {
    expect(findings('P-20', 'invalid_path_expression', local('-'))[0]?.message).toContain('parent.input.<field>')
  })
})
