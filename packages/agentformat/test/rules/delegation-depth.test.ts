import { expect, test } from 'vitest'
import { runRules } from '../../src/rules/run.ts'
import { agentRules } from '../../src/rules/table.ts'
import { agentOf, findings, type Parts, steps, testRule } from './harness.ts'

const rows = agentRules.filter((row) => row.rule === 'OPEN-37')

const limit = (depth: number, rest = '') => `{ limits: { max_delegation_depth: ${depth} }${rest} }`
const leaf: Parts = {}
const middle: Parts = { policy: steps('sequential', ['leaf']), agents: { leaf } }
const at = 'constraints.limits.max_delegation_depth'

testRule('OPEN-37', 'depth_impossible', {
  valid: [
    { constraints: limit(0) },
    { constraints: limit(1), policy: steps('sequential', ['leaf']), agents: { leaf } },
    { constraints: limit(2), policy: steps('loop', ['leaf', 'middle']), agents: { leaf, middle } },
    // One route can run, so the agent can.
    {
      constraints: limit(1),
      policy:
        '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: middle }], default_agent: leaf } }',
      agents: { leaf, middle },
    },
    // OPEN-36: with the invariant off, the limit that the sub-agent declares counts instead.
    {
      constraints: limit(1, ', tighten_only_invariant: false'),
      policy: steps('sequential', ['middle']),
      agents: { middle: { ...middle, constraints: limit(1) } },
    },
    // Without a limit, any depth is possible.
    { policy: steps('sequential', ['middle']), agents: { middle } },
    { constraints: limit(0), policy: '{ id: x-acme.swarm, config: {} }', agents: { leaf } },
  ],
  invalid: [
    [{ constraints: limit(0), policy: steps('sequential', ['leaf']), agents: { leaf } }, at],
    [{ constraints: limit(1), policy: steps('parallel', ['leaf', 'middle']), agents: { leaf, middle } }, at],
    [
      {
        constraints: limit(0),
        policy: '{ id: agf.batch, config: { agent: leaf, input_mapping: { x: "parent.input.y.[]" } } }',
        agents: { leaf },
      },
      at,
    ],
    [
      {
        constraints: limit(1),
        policy: '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: middle }] } }',
        agents: { middle },
      },
      at,
    ],
    // The flag affects only direct sub-agents that declare a limit of their own.
    [
      {
        constraints: limit(1, ', tighten_only_invariant: false'),
        policy: steps('sequential', ['middle']),
        agents: { middle },
      },
      at,
    ],
  ],
  message: 'agf.sequential needs a delegation depth of 1, but the limit is 0',
})

test('OPEN-37 terminates for a cycle of agents, which is another finding', () => {
  const agent = agentOf({ constraints: limit(3), policy: steps('sequential', ['leaf']), agents: { leaf: middle } })
  // Only a broken graph has a cycle; loading rejects it after the checks have run.
  const child = agent.agents.get('leaf')?.agents as Map<string, typeof agent> | undefined
  child?.set('leaf', agent)
  expect(child?.get('leaf')).toBe(agent)
  expect(runRules(rows, agent)).toEqual([])
})

test('OPEN-37: an unreachable sub-agent of a model is a warning', () => {
  const react = { constraints: limit(1), agents: { leaf, middle } }
  const [finding] = findings('OPEN-37', 'depth_impossible', react)
  expect(finding).toMatchObject({ severity: 'warning', path: at })
  expect(finding?.message).toContain('"middle"')
  const remote = { constraints: limit(0), space: '{ remote_agents: [{ alias: far }] }' }
  expect(findings('OPEN-37', 'depth_impossible', remote)[0]?.message).toContain('"far"')
})

test('OPEN-37: with a sufficient limit a model can reach everything', () => {
  const middle = { policy: steps('sequential', ['leaf']), agents: { leaf: {} } }
  const react = { constraints: '{ limits: { max_delegation_depth: 2 } }', agents: { leaf: {}, middle } }
  expect(findings('OPEN-37', 'depth_impossible', react)).toEqual([])
})

test('OPEN-37: a limit of zero without sub-agents is valid', () => {
  expect(findings('OPEN-37', 'depth_impossible', { constraints: '{ limits: { max_delegation_depth: 0 } }' })).toEqual(
    [],
  )
})

test('OPEN-37: the unreachable agents are listed', () => {
  const react = { constraints: '{ limits: { max_delegation_depth: 0 } }', agents: { a: {}, b: {} } }
  expect(findings('OPEN-37', 'depth_impossible', react)).toMatchObject([
    {
      severity: 'warning',
      path: 'constraints.limits.max_delegation_depth',
      message: 'with this limit, the model cannot delegate to "a", "b"',
    },
  ])
})
