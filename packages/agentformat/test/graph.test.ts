import { describe, expect, test } from 'vitest'
import { graph } from '../src/graph.ts'
import { agentOf, type Parts, steps } from './rules/harness.ts'

const edges = (parts: Parts) => graph(agentOf(parts)).edges.map(({ alias, role }) => `${role}: ${alias}`)

describe('roles', () => {
  test('of each policy', () => {
    const agents = { a: {}, b: {} }
    expect(edges({ policy: steps('sequential', ['b', 'a', 'b']), agents })).toEqual([
      'step 1: b',
      'step 2: a',
      'step 3: b',
    ])
    expect(edges({ policy: steps('loop', ['a']), agents })).toEqual(['repeated step 1: a', 'unused: b'])
    expect(edges({ policy: steps('parallel', ['a', 'b']), agents })).toEqual(['parallel: a', 'parallel: b'])
    expect(
      edges({ policy: '{ id: agf.batch, config: { agent: a, input_mapping: { x: "parent.input.y.[]" } } }', agents }),
    ).toEqual(['each item: a', 'unused: b'])
    const routes =
      '{ id: agf.conditional, config: { routes: [{ when: { args_match: {} }, agent: a }], default_agent: b } }'
    expect(edges({ policy: routes, agents })).toEqual(['route 1: a', 'default: b'])
    expect(edges({ agents })).toEqual(['may call: a', 'may call: b'])
    expect(edges({ policy: '{ id: x-acme.swarm, config: {} }', agents })).toEqual(['may call: a', 'may call: b'])
  })
})

test('nodes of every kind, with approvals on the edges', () => {
  const space =
    '{ local_tools: [{ alias: t, approval: true }], mcp_servers: [{ alias: s, approval: false }], remote_agents: [{ alias: r, approval: {} }], local_agents: [{ alias: a, source: x, approval: true }] }'
  const { nodes, edges: allEdges } = graph(agentOf({ space, agents: { a: {} } }))
  expect(nodes.map(({ kind, label, policy }) => [kind, label, policy])).toEqual([
    ['agent', 'Tested', 'agf.react'],
    ['tool', 't', undefined],
    ['mcp_server', 's', undefined],
    ['remote_agent', 'r', undefined],
    ['agent', 'Tested', 'agf.react'],
  ])
  expect(allEdges.map(({ alias, approval }) => [alias, approval])).toEqual([
    ['a', true],
    ['t', true],
    ['s', false],
    ['r', true],
  ])
})

test('a shared agent is one node', () => {
  const shared = agentOf({}, 'shared')
  const agent = {
    ...agentOf({ agents: { a: {}, b: {} } }),
    agents: new Map([
      ['a', shared],
      ['b', shared],
    ]),
  }
  const { nodes, edges: allEdges } = graph(agent)
  expect(nodes).toHaveLength(2)
  expect(new Set(allEdges.map(({ to }) => to)).size).toBe(1)
})
