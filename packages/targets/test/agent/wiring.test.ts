import { describe, expect, test } from 'vitest'
import { agentDocument, agentOf, react } from '../../../arena/test/support/agents.ts'
import { type WiringOptions, wireAgent } from '../../src/agent/wiring.ts'

const mcp = (actor: string) => ({ actor, mode: 'mcp_server', address: `http://127.0.0.1:1/${actor}` })
const a2a = (actor: string) => ({ actor, mode: 'a2a_server', address: `http://127.0.0.1:2/${actor}` })
const options = (more: Partial<WiringOptions> = {}): WiringOptions => ({
  bind: {},
  provides: () => false,
  place: ({ address }) => address,
  ...more,
})
const team = {
  metadata: { id: 'team', name: 'Team', version: '1.0.0', description: 'Works.' },
  execution_policy: { id: 'agf.sequential', config: { steps: [{ agent: 'first' }, { agent: 'second' }] } },
  action_space: {
    local_agents: [
      { alias: 'first', source: './agent-1.yaml' },
      { alias: 'second', source: './agent-2.yaml' },
    ],
  },
}
const worker = (id: string, action_space: object = {}) =>
  agentDocument({ metadata: { id, name: id, version: '1.0.0', description: 'Works.' }, action_space })

test('actors take the aliases of their names', async () => {
  const action_space = { mcp_servers: [{ alias: 'files' }], remote_agents: [{ alias: 'courier' }] }
  const agent = await agentOf(agentDocument({ action_space }))
  const wired = wireAgent(agent, [mcp('files'), a2a('courier')], options())
  expect(wired).toMatchObject({ ok: true, value: { agent: { document: { action_space } } } })
  if (!wired.ok) return
  expect([...wired.value.mcp_servers]).toEqual([['files', mcp('files')]])
  expect([...wired.value.remote_agents]).toEqual([['courier', a2a('courier')]])
  expect(wired.value.lines).toEqual([
    'actor files (mcp_server) http://127.0.0.1:1/files → MCP server `files` of the agent',
    'actor courier (a2a_server) http://127.0.0.1:2/courier → remote agent `courier` of the agent',
  ])
})

test('an undeclared server is added to the first agent with a model', async () => {
  const agent = await agentOf(agentDocument(team), worker('one'), worker('two'))
  const wired = wireAgent(agent, [mcp('files'), a2a('courier')], options())
  if (!wired.ok) throw new Error(wired.error)
  const [first, second] = [...wired.value.agent.agents.values()]
  expect(first?.document.action_space).toMatchObject({
    mcp_servers: [{ alias: 'files' }],
    remote_agents: [{ alias: 'courier' }],
  })
  expect(second?.document.action_space).toEqual({ mcp_servers: [], remote_agents: [] })
  expect(wired.value.lines[0]).toMatch(/→ additional MCP server `files` of `one`$/)
  // The agent of the caller is not changed.
  expect(agent.agents.get('first')?.document.action_space).toEqual({})
})

test('shared agents stay shared, and any agent of the graph may declare the alias', async () => {
  const shared = {
    ...team,
    action_space: { local_agents: team.action_space.local_agents.map((one) => ({ ...one, source: './agent-1.yaml' })) },
  }
  const agent = await agentOf(agentDocument(shared), worker('one', { mcp_servers: [{ alias: 'files' }] }))
  const wired = wireAgent(agent, [mcp('files')], options())
  if (!wired.ok) throw new Error(wired.error)
  const [first, second] = [...wired.value.agent.agents.values()]
  expect(first).toBe(second)
  expect(wired.value.lines[0]).toMatch(/→ MCP server `files` of the agent$/)
})

describe('bind', () => {
  const declared = {
    mcp_servers: [
      { alias: 'files', server_ref: 'org.files' },
      { alias: 'mail', server_ref: 'org.mail' },
    ],
  }
  test('takes precedence over names; only servers with an actor lose their reference', async () => {
    const agent = await agentOf(agentDocument({ action_space: declared }))
    const wired = wireAgent(
      agent,
      [mcp('evil'), mcp('files')],
      options({ bind: { files: 'evil' }, provides: (_, { alias }) => alias === 'mail' }),
    )
    if (!wired.ok) throw new Error(wired.error)
    expect([...wired.value.mcp_servers]).toEqual([
      ['files', mcp('evil')],
      ['files_2', mcp('files')],
    ])
    expect(wired.value.agent.document.action_space?.mcp_servers).toEqual([
      { alias: 'files' },
      { alias: 'mail', server_ref: 'org.mail' },
      { alias: 'files_2' },
    ])
  })

  test('one actor may play several aliases', async () => {
    const agent = await agentOf(agentDocument({ action_space: declared }))
    const wired = wireAgent(agent, [mcp('evil')], options({ bind: { files: 'evil', mail: 'evil' } }))
    expect(wired.ok && [...wired.value.mcp_servers.keys()]).toEqual(['files', 'mail'])
  })

  test.each([
    [{ fils: 'evil' }, 'bind: the agent declares no MCP server or remote agent "fils". Did you mean "files"?'],
    [{ files: 'courier' }, 'bind: actor courier is an a2a_server, but the agent has no remote agent files'],
  ])('%j is refused', async (bind, error) => {
    const agent = await agentOf(agentDocument({ action_space: declared }))
    expect(wireAgent(agent, [mcp('evil'), a2a('courier')], options({ bind, provides: () => true }))).toEqual({
      ok: false,
      error,
    })
  })

  test('to an actor of another document is ignored', async () => {
    const agent = await agentOf(agentDocument({ action_space: declared }))
    const wired = wireAgent(agent, [mcp('evil')], options({ bind: { files: 'absent' }, provides: () => true }))
    expect(wired.ok && [...wired.value.mcp_servers.keys()]).toEqual(['evil'])
  })
})

test.each([
  [
    'a remote agent without an actor',
    { remote_agents: [{ alias: 'courier' }] },
    [mcp('files')],
    'the remote agent courier of desk has neither an actor nor a configuration: configure it',
  ],
  [
    'a server on a pipe',
    {},
    [{ ...mcp('files'), address: '' }],
    'files listens on a pipe, which the agent cannot reach',
  ],
])('%s is an error', async (_, action_space, servers, error) => {
  const agent = await agentOf(agentDocument({ action_space, execution_policy: react('sim/silent') }))
  expect(wireAgent(agent, servers, options())).toEqual({ ok: false, error })
})

test('an agent without a model cannot use an undeclared server', async () => {
  const agent = await agentOf(agentDocument({ execution_policy: { id: 'x-vendor.thing', config: {} } }))
  expect(wireAgent(agent, [mcp('files')], options())).toEqual({
    ok: false,
    error: 'the agent has no model that could use files (mcp_server)',
  })
})
