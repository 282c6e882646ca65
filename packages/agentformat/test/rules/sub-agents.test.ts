import { describe, expect, test } from 'vitest'
import { findings, testRule } from './harness.ts'

describe('memory contradiction', () => {
  const space = (strategy: string) =>
    `{ local_agents: [{ alias: a, source: ./a.agf.yaml, memory_scope_strategy: ${strategy} }] }`
  const needs = { a: { memory: '{ required: true }' } }

  testRule('OPEN-43', 'memory_contradiction', {
    valid: [
      { space: space('inherit'), agents: needs },
      { space: space('isolated'), agents: needs },
      { space: space('none'), agents: { a: { memory: '{ required: false }' } } },
      { space: space('none'), agents: { a: {} } },
      { space: space('none') },
    ],
    invalid: [[{ space: space('none'), agents: needs }, 'action_space.local_agents[0].memory_scope_strategy']],
    message: '"a" cannot run: it requires memory, but its memory scope is "none"',
  })
})

describe('tightened limits', () => {
  const looser = {
    constraints: '{ limits: { max_llm_calls: 10 }, budget: { max_token_usage: 100 } }',
    agents: {
      a: { constraints: '{ limits: { max_llm_calls: 50, max_tool_calls: 9 }, budget: { max_token_usage: 101 } }' },
    },
  }

  testRule('OPEN-35', 'looser_limit', {
    severity: 'warning',
    valid: [
      { constraints: '{ limits: { max_llm_calls: 10 } }', agents: { a: {} } },
      {
        constraints: '{ limits: { max_llm_calls: 10 } }',
        agents: { a: { constraints: '{ limits: { max_llm_calls: 10 } }' } },
      },
      { agents: { a: { constraints: '{ limits: { max_llm_calls: 10 } }' } } },
      // OPEN-36: with the invariant off, the sub-agent's value applies.
      { ...looser, constraints: '{ tighten_only_invariant: false, limits: { max_llm_calls: 10 } }' },
    ],
    invalid: [[looser, 'action_space.local_agents[0]']],
    message: 'the lower values apply: max_token_usage 101 instead of 100, max_llm_calls 50 instead of 10',
  })

  test('OPEN-35 is an error in strict mode', () => {
    expect(findings('OPEN-35', 'looser_limit', looser, true)).toMatchObject([{ severity: 'error' }])
  })

  testRule('OPEN-36', 'invariant_lifted', {
    severity: 'warning',
    valid: [{}, { constraints: '{ tighten_only_invariant: true }' }],
    invalid: [[{ constraints: '{ tighten_only_invariant: false }' }, 'constraints.tighten_only_invariant']],
    message: "sub-agents may exceed this agent's limits",
  })
})
