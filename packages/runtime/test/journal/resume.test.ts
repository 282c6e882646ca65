/** Runs that are stopped and resumed with the same journal. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Agent } from '@joust/agentformat'
import type { Script } from '@joust/sim'
import type { Value } from '@joust/source'
import { describe, expect, it, onTestFinished } from 'vitest'
import { lineCodec } from '../../src/journal/secrets.ts'
import type { Approver } from '../../src/model/approval.ts'
import type { LocalTool } from '../../src/model/bindings.ts'
import type { McpConnection, McpHandlers, RemoteAgentConnection, RemoteRequest } from '../../src/model/connection.ts'
import type { RuntimeOptions, VendorCall } from '../../src/model/options.ts'
import { type AgentParts, makeAgent } from '../support/agents.ts'
import { fakeClock } from '../support/clock.ts'
import { react, scripts } from '../support/react.ts'
import { run } from '../support/run.ts'

function journalFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'joust-journal-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'run.journal')
}

const usage = { input_tokens: 10, output_tokens: 5 }
const callOf = (name: string, args: Value = {}) => ({ tool_calls: [{ name, arguments: args }], usage })
const script: Script = [callOf('send'), callOf('look'), { text: 'done', usage }]

/** A local tool that counts its calls; if it is meant to stop the run, it never answers. */
function tool(stop: AbortController | undefined, more: Partial<LocalTool> = {}) {
  const calls: Value[] = []
  const call = (args: Value) => {
    calls.push(args)
    if (stop === undefined) return 'ok'
    stop.abort()
    return new Promise<Value>(() => {})
  }
  return { calls, tool: { ...more, call } }
}

const withTools: AgentParts = { action_space: { local_tools: [{ alias: 'send' }, { alias: 'look' }] } }

interface Process {
  readonly stopIn?: 'send' | 'look'
  readonly repeatable?: boolean
  readonly agent?: Agent
  readonly script?: Script
  readonly options?: RuntimeOptions
}

/** One process: fresh tools and models, the same file. */
async function processOf(file: string, { stopIn, repeatable, agent, options, ...given }: Process) {
  const stop = new AbortController()
  const hints = repeatable === undefined ? {} : { repeatable }
  const send = tool(stopIn === 'send' ? stop : undefined, hints)
  const look = tool(stopIn === 'look' ? stop : undefined)
  const ran = await run(
    agent ?? react('m', withTools),
    null,
    { models: scripts({ m: given.script ?? script }), tools: { send: send.tool, look: look.tool }, ...options },
    { signal: stop.signal, journal: { file } },
  )
  return { ...ran, sent: send.calls.length, looked: look.calls.length, stop }
}

const told = ({ events }: Awaited<ReturnType<typeof processOf>>) =>
  events.flatMap((event) => (event.type === 'tool-failed' ? [String(event.content)] : []))

describe('a call whose result was not recorded', () => {
  it('is not repeated, and the model gets an unknown outcome', async () => {
    const file = journalFile()
    expect((await processOf(file, { stopIn: 'send' })).error?.code).toBe('cancelled')
    const second = await processOf(file, {})
    expect(second).toMatchObject({ sent: 0, looked: 1, result: { output: 'done' } })
    expect(told(second)).toEqual([expect.stringMatching(/^the outcome of send is unknown .* not repeated$/)])
  })

  it('is repeated for a repeatable tool', async () => {
    const file = journalFile()
    await processOf(file, { stopIn: 'send', repeatable: true })
    const second = await processOf(file, { repeatable: true })
    expect(second).toMatchObject({ sent: 1, looked: 1, result: { output: 'done' } })
    expect(told(second)).toEqual([])
  })

  it('stays unknown in later processes', async () => {
    const file = journalFile()
    await processOf(file, { stopIn: 'send' })
    await processOf(file, { stopIn: 'look' })
    const third = await processOf(file, {})
    expect(third).toMatchObject({ sent: 0, looked: 0, result: { output: 'done' } })
    expect(told(third)).toHaveLength(2)
  })
})

describe('usage of earlier processes counts once', () => {
  it('tokens and calls of replayed steps', async () => {
    const file = journalFile()
    await processOf(file, { stopIn: 'look' })
    const { result } = await processOf(file, {})
    expect(result?.usage).toMatchObject({ inputTokens: 30, outputTokens: 15, modelCalls: 3, toolCalls: 2 })
  })

  it('a repeated call counts as a second call towards the limits', async () => {
    const file = journalFile()
    const agent = react('m', { ...withTools, constraints: { limits: { max_tool_calls: 2 } } })
    await processOf(file, { stopIn: 'send', repeatable: true, agent })
    const broken = [...script.slice(0, 2), { error: { message: 'an outage' } }]
    const second = await processOf(file, { repeatable: true, agent, script: broken })
    expect(second).toMatchObject({ sent: 1, looked: 0, error: { code: 'model_failed' } })
    // The closing call; what was counted once counts in every later process.
    const third = await processOf(file, { repeatable: true, agent })
    expect(third).toMatchObject({ sent: 0, looked: 0, result: { output: 'done', usage: { toolCalls: 2 } } })
  })

  it('a model call without a recorded answer counts', async () => {
    const file = journalFile()
    const stop = new AbortController()
    const [model] = [scripts({ m: script })]
    const hanging = async (...asked: Parameters<typeof model>) => {
      const found = await model(...asked)
      if (typeof found !== 'object') return found
      const doGenerate = () => {
        stop.abort()
        return new Promise<never>(() => {})
      }
      return { ...found, doGenerate }
    }
    const agent = react('m', withTools)
    const tools = { send: tool(undefined).tool, look: tool(undefined).tool }
    await run(agent, null, { models: hanging, tools }, { signal: stop.signal, journal: { file } })
    expect((await processOf(file, { agent })).result?.usage).toMatchObject({ modelCalls: 4, toolCalls: 2 })
  })

  it('time between processes does not count', async () => {
    const file = journalFile()
    const time = fakeClock()
    const agent = react('m', { ...withTools, constraints: { budget: { max_duration_seconds: 60 } } })
    const slow = (seconds: number): RuntimeOptions => {
      const pass = () => {
        time.advance(seconds * 1000)
        return 'ok'
      }
      return { clock: time, tools: { send: { call: pass }, look: { call: pass } } }
    }
    const stop = new AbortController()
    const approve = () => {
      stop.abort()
      return new Promise<never>(() => {})
    }
    const asking = { ...withTools, constraints: { budget: { max_duration_seconds: 60 } } }
    const gated = react('m', {
      ...asking,
      action_space: { local_tools: [{ alias: 'send' }, { alias: 'look', approval: true }] },
    })
    const models = scripts({ m: script })
    await run(gated, null, { models, ...slow(25), approve }, { signal: stop.signal, journal: { file } })
    time.advance(3_600_000)
    const yes = () => ({ approved: true })
    const options = { ...slow(25), approve: yes }
    const second = await processOf(file, { agent: gated, options })
    expect(second.result).toMatchObject({ output: 'done', usage: { durationMs: 50_000 } })
    expect((await processOf(journalFile(), { agent, options: slow(40) })).error?.code).toBe('limit_exceeded')
  })
})

describe('approvals', () => {
  const agent = react('m', {
    action_space: {
      local_tools: [
        { alias: 'send', approval: true },
        { alias: 'look', approval: true },
      ],
    },
  })

  it('a recorded answer is reused, a pending request is repeated', async () => {
    const file = journalFile()
    const asked: string[] = []
    const stop = new AbortController()
    const first: Approver = ({ target }) => {
      asked.push(target)
      if (target === 'send') return { approved: true }
      stop.abort()
      return new Promise<never>(() => {})
    }
    const tools = { send: tool(undefined).tool, look: tool(undefined).tool }
    const models = scripts({ m: script })
    await run(agent, null, { models, tools, approve: first }, { signal: stop.signal, journal: { file } })
    const approve: Approver = ({ target }) => {
      asked.push(target)
      return { approved: true }
    }
    expect(await processOf(file, { agent, options: { approve } })).toMatchObject({ sent: 0, looked: 1 })
    expect(asked).toEqual(['send', 'look', 'look'])
  })

  it('a denial is reused', async () => {
    const file = journalFile()
    const no = { approve: () => ({ approved: false }) }
    await processOf(file, { agent, options: no, script: [callOf('send'), { error: { message: 'broken' } }] })
    const yes = { approve: () => ({ approved: true }) }
    expect(await processOf(file, { agent, options: yes })).toMatchObject({ sent: 0, looked: 1 })
  })
})

it('a failed model call is repeated by the next process', async () => {
  const file = journalFile()
  const broken: Script = [callOf('send'), { error: { message: 'an outage' } }]
  expect((await processOf(file, { script: broken })).error?.code).toBe('model_failed')
  expect(await processOf(file, {})).toMatchObject({ sent: 0, looked: 1, result: { output: 'done' } })
})

it('warns about unused steps when the host decides differently', async () => {
  const file = journalFile()
  const leaf = react('m', withTools)
  const agent = makeAgent({ policy: { id: 'x-way', config: {} }, agents: { a: leaf, b: leaf }, id: 'root' })
  const policies = (alias: string) => ({ 'x-way': ({ delegate }: VendorCall) => delegate(alias, null) })
  await processOf(file, { agent, stopIn: 'look', options: { policies: policies('a') } })
  const { result } = await processOf(file, { agent, options: { policies: policies('b') } })
  expect(result?.warnings).toMatchObject([{ code: 'journal_left' }])
})

it('a finished run is replayed without any call', async () => {
  const file = journalFile()
  const { result } = await processOf(file, {})
  const again = await processOf(file, { script: [] })
  expect(again).toMatchObject({ sent: 0, looked: 0, result })
  expect(again.events.map(({ type }) => type)).toEqual(['run-started', 'run-resumed', 'run-finished'])
})

it.each([
  ['a secret', 'k3y-"quoted"-0123', 'k3y-"quoted"-0123'],
  ['a secret that is escaped', 'k3y/quoted/0123', 'k3y\\/quoted%2f0123'],
  ['a secret with an escape, escaped once more', 'k3y%40quoted/0123', 'k3y%40quoted\\/0123'],
  ['a secret with a backslash, escaped once more', 'k3y\\quoted"%40', JSON.stringify('k3y\\quoted"%40')],
])('%s is not written, and is restored on reading', async (_, secret, spelled) => {
  const file = journalFile()
  const leaky: Script = [callOf('send', { with: spelled }), callOf('look'), { text: spelled }]
  const stop = new AbortController()
  const hang = () => {
    stop.abort()
    return new Promise<never>(() => {})
  }
  const seen: Value[] = []
  const start = (look: LocalTool['call']) => {
    const tools = { send: { call: (args: Value) => args }, look: { call: look } }
    const onEvent: RuntimeOptions['onEvent'] = (event) => {
      if (event.type === 'tool-answered') seen.push(event.content)
    }
    const journal = { file, secrets: [secret] }
    return run(
      react('m', withTools),
      null,
      { models: scripts({ m: leaky }), tools, onEvent },
      { signal: stop.signal, journal },
    )
  }
  await start(hang)
  const text = readFileSync(file, 'utf8')
  expect(text).toContain('[secret ')
  expect(text).not.toContain('quoted')
  seen.length = 0
  const { result } = await run(
    react('m', withTools),
    null,
    {
      models: scripts({ m: leaky }),
      tools: { send: { call: () => 'never' }, look: { call: () => 'ok' } },
      onEvent: (event) => event.type === 'tool-answered' && seen.push(event.content),
    },
    { journal: { file, secrets: [secret] } },
  )
  expect(result?.output).toBe(spelled)
  expect(seen).toEqual([{ with: spelled }])
})

it.each([
  ['in part', (secret: string) => secret.replace('/', '%2f')],
  ['byte by byte', (secret: string) => [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
  ['as in JSON', (secret: string) => secret.replace('/', '\\/').replace('&', '\\u0026')],
  ['as in JSON in an address', (secret: string) => encodeURIComponent(JSON.stringify(secret).slice(1, -1))],
])('a secret escaped %s is not written, and is restored on reading', (_, spell) => {
  for (const secret of ['k3y/quoted&0123', 'k3y%40quoted/0123', 'k3y&amp;quoted\\/0123']) {
    const codec = lineCodec([secret], 'salt')
    const value = { text: `a ${spell(secret)} b ${secret}`, [spell(secret)]: 1 }
    const line = codec.write(value)
    expect(line).not.toMatch(/quoted|71%75%6f/)
    expect(codec.read(line)).toEqual(value)
    const other = lineCodec(['another secret'], 'salt').read(line)
    expect(JSON.stringify(other)).not.toMatch(/quoted|71%75%6f/)
  }
})

it('a memory is read once and a turn is stored once', async () => {
  const file = journalFile()
  const done: string[] = []
  const stop = new AbortController()
  const memory = {
    recall: () => {
      done.push('recall')
      return []
    },
    remember: () => {
      done.push('remember')
      stop.abort()
      return new Promise<never>(() => {})
    },
  }
  const agent = react('m', { memory: {} })
  const start = (signal?: AbortSignal) =>
    run(
      agent,
      null,
      { models: scripts({ m: [{ text: 'hi' }] }), memory },
      { memoryScope: 'ann', journal: { file }, ...(signal && { signal }) },
    )
  await start(stop.signal)
  const { result } = await start()
  expect(result).toMatchObject({ output: 'hi', warnings: [{ code: 'memory_failed' }] })
  expect(done).toEqual(['recall', 'remember'])
})

it('a conversation with a remote agent is resumed', async () => {
  const file = journalFile()
  const sent: RemoteRequest['thread'][] = []
  const connection: RemoteAgentConnection = {
    skills: [],
    async send({ thread }) {
      sent.push({ ...thread })
      if (thread !== undefined) thread.contextId = 'c-1'
      return { content: 'well?', isError: false }
    },
    close: async () => {},
  }
  const agent = react('m', {
    action_space: { local_tools: [{ alias: 'look' }], remote_agents: [{ alias: 'far', description: 'Far away.' }] },
  })
  const turns: Script = [
    callOf('far', { message: 'a' }),
    callOf('look'),
    callOf('far', { message: 'b' }),
    { text: 'x' },
  ]
  const options = { remoteAgents: { far: { connect: async () => connection } } }
  await processOf(file, { agent, options, script: turns, stopIn: 'look' })
  expect((await processOf(file, { agent, options, script: turns })).result?.output).toBe('x')
  expect(sent).toEqual([{}, { contextId: 'c-1' }])
})

it('the recorded tools of a restarted server are used, and its sampling requests count', async () => {
  const file = journalFile()
  const called: string[] = []
  /** It offers `more` once `first` was called, as long as it lives; `first` makes the model think. */
  const connect = async ({ sample }: McpHandlers): Promise<McpConnection> => {
    const names = ['first']
    return {
      instructions: `started after ${called.length} calls`,
      listTools: async () => names.map((name) => ({ name, inputSchema: { type: 'object' } })),
      async callTool(name, _, signal) {
        called.push(name)
        if (name === 'first')
          await sample?.({ messages: [{ role: 'user', content: { type: 'text', text: 'hm' } }] }, signal)
        names.push('more')
        return { content: 'ok', isError: false }
      },
      close: async () => {},
    }
  }
  const agent = react('m', {
    action_space: { local_tools: [{ alias: 'look' }], mcp_servers: [{ alias: 'srv', server_ref: 'srv' }] },
  })
  const options = { mcpServers: { srv: { connect } }, approve: () => ({ approved: true }) }
  const before: Script = [callOf('first'), { text: 'thought', usage }, callOf('more'), callOf('look')]
  await processOf(file, { agent, options, script: before, stopIn: 'look' })
  const after: Script = [callOf('first'), callOf('more'), callOf('look'), { text: 'done', usage }]
  const second = await processOf(file, { agent, options, script: after })
  expect(called).toEqual(['first', 'more'])
  expect(told(second)).toEqual([expect.stringContaining('the outcome of look is unknown')])
  expect(second.result).toMatchObject({ output: 'done', usage: { modelCalls: 5, inputTokens: 50, toolCalls: 3 } })
})
