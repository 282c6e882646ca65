import type { Metadata } from '@joust/agentformat'
import { describe, expect, it } from 'vitest'
import type { GovernanceApproval } from '../../src/model/governance.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { type AgentParts, leaf, makeAgent } from '../support/agents.ts'
import { fakeClock } from '../support/clock.ts'
import { react, scripts } from '../support/react.ts'
import { errorOf, outputOf, run } from '../support/run.ts'

const empty = { agents: [] }

describe('missing bindings fail before the first model call', () => {
  it('all problems at once, each with its agent', async () => {
    const child = react('openai/x', {
      id: 'child',
      action_space: {
        local_tools: [{ alias: 'hammer' }, { alias: 'saw' }],
        mcp_servers: [{ alias: 'files', server_ref: 'org.files' }],
        remote_agents: [{ alias: 'far' }],
      },
      constraints: { governance_policies: [{ policy_ref: 'org.safe' }] },
      memory: { required: true },
    })
    const grandchild = makeAgent({ id: 'odd', policy: { id: 'agf.dance', config: {} } })
    const middle = makeAgent({
      id: 'middle',
      policy: {
        id: 'agf.parallel',
        config: { agents: [{ agent: 'odd' }], output_from: { custom_transform: 'org.join' } },
      },
      agents: { odd: grandchild },
    })
    const root = makeAgent({
      id: 'root',
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'child' }, { agent: 'middle' }] } },
      agents: { child, middle },
    })
    const { error, events } = await run(root, null, { tools: { saw: { call: () => null } }, batchConcurrency: 0 })
    expect(error?.details).toEqual([
      { code: 'config_invalid', message: expect.stringMatching(/^batchConcurrency .*, not 0$/), agent: [] },
      {
        code: 'unbound_tool',
        message: 'child: local tool hammer is not bound',
        agent: ['child'],
        path: ['action_space', 'local_tools', 0],
      },
      {
        code: 'unmapped_server',
        message: 'child: MCP server files (org.files) is not mapped',
        agent: ['child'],
        path: ['action_space', 'mcp_servers', 0],
      },
      {
        code: 'unmapped_server',
        message: 'child: remote agent far is not mapped',
        agent: ['child'],
        path: ['action_space', 'remote_agents', 0],
      },
      { code: 'unknown_transform', message: 'middle: transform "org.join" is not registered', agent: ['middle'] },
      { code: 'unsupported_policy', message: 'odd: unknown policy "agf.dance"', agent: ['middle', 'odd'] },
      {
        code: 'memory_required',
        message: 'child requires a memory, but no memory provider is configured',
        agent: ['child'],
      },
      { code: 'policy_unresolved', message: 'org.safe: no governance provider is configured', agent: ['child'] },
      { code: 'missing_key', message: 'child: missing API key for openai (set OPENAI_API_KEY)', agent: ['child'] },
    ])
    expect(error).toMatchObject({ code: 'config_invalid', agent: [] })
    expect(error?.message.split('; ')).toHaveLength(9)
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-failed'])
  })

  it.each([
    ['agf.dance', 'unsupported_policy'],
    ['react', 'unsupported_policy'],
    ['x-acme.unknown', 'unsupported_policy'],
    ['constructor', 'unsupported_policy'],
    ['__proto__', 'unsupported_policy'],
  ])('OPEN-3: the policy %s', async (id, code) => {
    expect((await errorOf(makeAgent({ policy: { id, config: empty } }), null)).code).toBe(code)
  })

  it('a host cannot replace a standard policy', async () => {
    const agent = makeAgent({
      policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
      agents: { a: leaf(() => 1) },
    })
    expect(await outputOf(agent, null, { policies: { 'agf.sequential': async () => 'replaced' } })).toBe(1)
  })

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])(
    'OPEN-48.8: %s is not a binding',
    async (alias) => {
      const action_space = { local_tools: [{ alias }], mcp_servers: [{ alias }], remote_agents: [{ alias }] }
      const error = await errorOf(
        leaf(() => 1, { action_space }),
        null,
        { tools: {}, mcpServers: {}, remoteAgents: {} },
      )
      expect((error.details as { code: string }[]).map(({ code }) => code)).toEqual([
        'unbound_tool',
        'unmapped_server',
        'unmapped_server',
      ])
    },
  )

  it('a tool that is not a function is unbound', async () => {
    const agent = leaf(() => 1, { action_space: { local_tools: [{ alias: 'a' }] } })
    expect((await errorOf(agent, null, { tools: { a: {} as never } })).code).toBe('unbound_tool')
  })

  it.each([
    ['openai/x', 'missing_key', 'OPENAI_API_KEY'],
    ['anthropic/x', 'missing_key', 'ANTHROPIC_API_KEY'],
    ['unknown/x', 'config_invalid', 'unknown'],
    ['x', 'config_invalid', 'provider'],
  ])('the model %s', async (model, code, word) => {
    const error = await errorOf(react(model), 'go')
    expect(error.code).toBe(code)
    expect(error.message).toContain(word)
  })

  it('OPEN-36: a host can forbid tighten_only_invariant: false', async () => {
    const agent = leaf(() => 1, { constraints: { tighten_only_invariant: false } })
    expect((await errorOf(agent, null, { allowLiftedInvariant: false })).code).toBe('config_invalid')
    expect(await outputOf(agent, null)).toBe(1)
  })

  it('visits a shared agent once, so that a wide graph is fast', async () => {
    let level: Record<string, ReturnType<typeof leaf>> = { a: leaf(() => 1) }
    for (let depth = 0; depth < 40; depth++) {
      const shared = makeAgent({ policy: { id: 'x-test.leaf', config: {} }, agents: level })
      level = { a: shared, b: shared }
    }
    const root = makeAgent({ policy: { id: 'agf.conditional', config: { routes: [] } }, agents: level })
    expect((await errorOf(root, null)).code).toBe('no_route_matched')
  })

  it('models are resolved once per run, before it starts', async () => {
    const asked: string[] = []
    const scripted = scripts({ m: [{ text: 'done' }] })
    const models = (reference: string, agent: ReturnType<typeof react>) => {
      asked.push(reference)
      return scripted(reference, agent)
    }
    await outputOf(react('m'), 'go', { models })
    expect(asked).toEqual(['m'])
  })
})

const never = (began: () => void) => {
  began()
  return new Promise<never>(() => {})
}
const governed: AgentParts = { constraints: { governance_policies: [{ policy_ref: 'org.a' }] } }
const servers = { action_space: { mcp_servers: [{ alias: 'files' }] } }
const simulated = react('sim/silent', servers)

/** Everything that preparing waits for, started by the last thing before it hangs. */
const hanging: [string, (began: () => void) => [ReturnType<typeof leaf>, RuntimeOptions]][] = [
  ['a policy', (began) => [leaf(() => 1, governed), { governance: { resolve: () => never(began) } }]],
  [
    'the implicit policies',
    (began) => [leaf(() => 1), { governance: { resolve: () => undefined, implicit: () => never(began) } }],
  ],
  ['a model', (began) => [react('m'), { models: () => never(began) }]],
  ['a server', (began) => [simulated, { mcpServers: { files: { connect: () => never(began) } } }]],
]

describe.each(hanging)('waiting for %s', (_, make) => {
  it('ends with the deadline of the host', async () => {
    const time = fakeClock()
    const [agent, options] = make(() => queueMicrotask(() => time.advance(2000)))
    const { error, events } = await run(agent, 'go', { clock: time, ...options, limits: { max_duration_seconds: 2 } })
    expect(error).toMatchObject({
      code: 'limit_exceeded',
      agent: [],
      details: { limit: 'host.budget.max_duration_seconds', max: 2, used: 2 },
    })
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'limit-reached', 'run-failed'])
    expect(time.waiting()).toBe(0)
  })

  it('ends when the run is cancelled', async () => {
    const cancel = new AbortController()
    const [agent, options] = make(() => queueMicrotask(() => cancel.abort()))
    const { error, events } = await run(agent, 'go', options, { signal: cancel.signal })
    expect(error?.code).toBe('cancelled')
    expect(events.map(({ type }) => type)).toEqual(['run-started', 'run-failed'])
  })

  it('ends with its own timeout', async () => {
    const time = fakeClock()
    const [agent, options] = make(() => queueMicrotask(() => time.advance(3000)))
    const error = await errorOf(agent, 'go', { clock: time, ...options, timeouts: { connectMs: 3000 } })
    expect(error.message).toContain('no answer within 3 seconds')
    expect(time.waiting()).toBe(0)
  })
})

describe('preparation time', () => {
  const slow = (time: ReturnType<typeof fakeClock>, milliseconds: number) => ({
    resolve(id: string) {
      time.advance(milliseconds)
      return { id, budget: { max_duration_seconds: 3 } }
    },
  })

  it("counts against the document's deadline", async () => {
    const time = fakeClock()
    const agent = leaf(() => 1, { constraints: { ...governed.constraints, budget: { max_duration_seconds: 2 } } })
    const error = await errorOf(agent, null, { clock: time, governance: slow(time, 2000) })
    expect(error.details).toMatchObject({ limit: 'constraints.budget.max_duration_seconds' })
  })

  it('reduces the remaining time, also for the deadline of a policy', async () => {
    const time = fakeClock()
    const agent = leaf(({ signal }) => {
      queueMicrotask(() => time.advance(1000))
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    }, governed)
    const error = await errorOf(agent, null, { clock: time, governance: slow(time, 2000) })
    expect(error.details).toMatchObject({ limit: 'governance.org.a.budget.max_duration_seconds', used: 3 })
  })
})

describe('approvals without an approver', () => {
  const space = {
    local_tools: [{ alias: 'pay', approval: true }, { alias: 'look' }],
    mcp_servers: [
      { alias: 'open', approval: true, allowed_tools: [{ name: 'read', approval: false }] },
      { alias: 'files', allowed_tools: ['read', { name: 'write', approval: { message_template: 'Write?' } }] },
      { alias: 'mails', approval: { condition: { args_match: { to: 'all' } } } },
    ],
  } as const
  const agent = () => react('m', { action_space: space as never })
  const bindings: RuntimeOptions = {
    models: scripts({ m: [{ text: 'done' }] }),
    tools: { pay: () => null, look: () => null },
    mcpServers: Object.fromEntries(
      ['open', 'files', 'mails'].map((alias) => [alias, { connect: () => Promise.reject(new Error('down')) }]),
    ),
  }

  it('calls that always need approval are reported before the run', async () => {
    const { error, events } = await run(agent(), 'go', bindings)
    expect(error).toMatchObject({ code: 'approval_unavailable' })
    expect(error?.details).toMatchObject([
      { code: 'approval_unavailable', path: ['action_space', 'local_tools', 0] },
      { code: 'approval_unavailable', path: ['action_space', 'mcp_servers', 1] },
    ])
    expect(events.filter(({ type }) => type === 'model-called')).toEqual([])
  })

  it('a condition without entries always matches', async () => {
    const asking = (condition: object) =>
      react('m', { action_space: { local_tools: [{ alias: 'pay', approval: { condition } }] } as never })
    for (const condition of [{}, { args_match: {} }, [{ args_match: { to: 'all' } }, {}]])
      expect((await run(asking(condition), 'go', bindings)).error?.code).toBe('approval_unavailable')
    expect((await run(asking({ args_match: { to: 'all' } }), 'go', bindings)).error).toBeUndefined()
  })

  it('a tool with something else than a JSON Schema is reported before the run', async () => {
    const looking = react('m', { action_space: { local_tools: [{ alias: 'look' }] } as never })
    const tools = { look: { inputSchema: 5 as never, call: () => null } }
    const { error } = await run(looking, 'go', { ...bindings, tools })
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringContaining('the inputSchema of look') })
  })

  describe('of governance', () => {
    const governed = (rule: GovernanceApproval): RuntimeOptions => ({
      ...bindings,
      tools: { look: () => null },
      governance: {
        resolve: () => undefined,
        implicit: () => [{ id: 'org.ask', approvals: [rule] }],
      },
    })
    const looking = () => react('m', { action_space: { local_tools: [{ alias: 'look' }] } as never })

    it.each<[string, GovernanceApproval]>([
      ['every call', {}],
      ['a kind', { kinds: ['tool'] }],
      ['a tool by name', { targets: ['look'] }],
    ])('%s', async (_, rule) => {
      const { error, events } = await run(looking(), 'go', governed(rule))
      expect(error?.details).toEqual([
        {
          code: 'approval_unavailable',
          message: expect.stringContaining('policy org.ask requires approval of look, and no approver is configured'),
          agent: [],
          path: ['action_space', 'local_tools', 0],
        },
      ])
      expect(events.filter(({ type }) => type === 'model-called')).toEqual([])
    })

    it.each<[string, GovernanceApproval]>([
      ['another kind', { kinds: ['mcp_tool', 'sampling'] }],
      ['another tool', { targets: ['pay'] }],
      ['a condition', { condition: { args_match: { to: 'all' } } as never }],
    ])('not %s', async (_, rule) => {
      expect((await run(looking(), 'go', governed(rule))).error).toBeUndefined()
    })

    it('tools of servers, and agents below', async () => {
      const parent = makeAgent({
        policy: { id: 'agf.sequential', config: { steps: [{ agent: 'a' }] } },
        agents: { a: looking() },
      })
      const { governance } = governed({ targets: ['look'] })
      const implicit = governance?.implicit ?? (() => [])
      const once = { resolve: () => undefined, implicit: (of: Metadata) => (of.id === 'm' ? [] : implicit(of)) }
      const { error } = await run(parent, 'go', { ...bindings, governance: once })
      expect(error?.details).toMatchObject([{ code: 'approval_unavailable', agent: ['a'] }])
      const server = await run(agent(), 'go', {
        ...bindings,
        governance: {
          resolve: () => undefined,
          implicit: () => [{ id: 'org.ask', approvals: [{ targets: ['read'] }] }],
        },
      })
      expect(server.error?.details).toMatchObject([
        { path: ['action_space', 'local_tools', 0] },
        { path: ['action_space', 'mcp_servers', 1] },
        { path: ['action_space', 'mcp_servers', 0] },
      ])
    })
  })

  it('with an approver nothing is missing', async () => {
    const { error } = await run(agent(), 'go', { ...bindings, approve: () => ({ approved: false }) })
    expect(error?.code).not.toBe('approval_unavailable')
  })
})
