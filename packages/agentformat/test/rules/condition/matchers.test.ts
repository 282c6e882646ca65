import { defaultLimits } from '@joust/source'
import { expect, test } from 'vitest'
import { runRules } from '../../../src/rules/run.ts'
import { agentRules } from '../../../src/rules/table.ts'
import { agentOf, steps, testRule } from '../harness.ts'

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
