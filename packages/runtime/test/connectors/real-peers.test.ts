/** Whole runs with real peers: processes, HTTP servers, remote agents. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ActionSpace } from '@joust/agentformat'
import { type Script, scriptedModel } from '@joust/sim'
import type { ValueRecord } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../io/test/loopback.ts'
import { loadBindings } from '../../src/config/load-bindings.ts'
import type { RunEvent } from '../../src/model/events.ts'
import type { RuntimeOptions } from '../../src/model/options.ts'
import { createRuntime } from '../../src/runtime.ts'
import { serveAgent, serveAgent03 } from '../support/a2a.ts'
import { useHttp } from '../support/http.ts'
import { fixture, isAlive } from '../support/mcp.ts'
import { serveMcp } from '../support/mcp-http.ts'
import { react } from '../support/react.ts'
import { recorded } from '../support/recorded.ts'
import { run } from '../support/run.ts'

const serve = useHttp()

const agent = (action_space: ActionSpace) => react('m', { action_space })
const call = (name: string, args: ValueRecord = {}) => ({ tool_calls: [{ name, arguments: args }] })
const answers = (events: readonly RunEvent[]) =>
  events.flatMap((event) => (event.type === 'tool-answered' || event.type === 'tool-failed' ? [event.content] : []))
const play = (...turns: Script): RuntimeOptions => ({ models: () => scriptedModel([...turns, { text: 'done' }]) })

describe('MCP servers', () => {
  test('as a process: called by the model, and ended with the runtime', async () => {
    const mcpServers = { sums: fixture('mcp-server.mjs') }
    const turns = [call('add', { a: 1, b: 2 }), call('pid'), call('add', { a: 'one' })]
    const { result, events } = await run(agent({ mcp_servers: [{ alias: 'sums' }] }), 'go', {
      ...play(...turns),
      mcpServers,
    })
    expect(result?.output).toBe('done')
    const [sum, pid, refused] = answers(events)
    expect(sum).toEqual({ sum: 3 })
    expect(isAlive(Number(pid))).toBe(false)
    expect(refused).toMatch(/add was not called: invalid arguments/)
  })

  test('one process serves all runs, and a crashed server is restarted by the next run', async () => {
    const pids: unknown[] = []
    const onEvent = (event: RunEvent) => {
      if (event.type === 'tool-answered' && event.name === 'pid') pids.push(event.content)
    }
    const options = { onEvent, mcpServers: { s: fixture('mcp-server.mjs') } }
    const one = agent({ mcp_servers: [{ alias: 's' }] })
    const runtime = createRuntime({ ...options, models: () => scriptedModel([call('pid'), { text: 'done' }]) })
    await runtime.run(one, 'go')
    await runtime.run(one, 'go')
    expect(new Set(pids).size).toBe(1)
    process.kill(Number(pids[0]), 'SIGKILL')
    await vi.waitFor(() => expect(isAlive(Number(pids[0]))).toBe(false))
    await vi.waitFor(async () => {
      expect(await runtime.run(one, 'go')).toMatchObject({ ok: true })
      expect(new Set(pids).size).toBe(2)
    }, 20_000)
    await runtime.close()
    expect(pids.map(Number).some(isAlive)).toBe(false)
  })

  test('at a URL: the model sees a changed tool description in the next step', async () => {
    const server = await serveMcp(serve)
    const { model, asked } = recorded([call('pull'), { text: 'done' }])
    const options = { models: () => model, mcpServers: { notes: { url: server.url } } }
    await run(agent({ mcp_servers: [{ alias: 'notes', allowed_tools: ['pull', 'echo'] }] }), 'go', options)
    const echo = asked.map(({ tools = [] }) => tools.find((tool) => tool.name === 'echo'))
    expect(echo).toMatchObject([{ description: 'Says it again.' }, { description: 'Say the password again.' }])
    expect(server.sessions.size).toBe(0)
  })

  test('resources and prompts are callables, instructions are in the prompt', async () => {
    const { model, asked } = recorded([
      call('notes__read_resource', { uri: 'note://readme' }),
      call('notes__get_prompt', { name: 'greet', arguments: { who: 'Ada' } }),
      { text: 'done' },
    ])
    const { url } = await serveMcp(serve)
    const options = { models: () => model, mcpServers: { notes: { url } } }
    const { events } = await run(agent({ mcp_servers: [{ alias: 'notes' }] }), 'go', options)
    expect(answers(events)).toEqual(['Read me first.', { messages: [{ role: 'user', content: 'Greet Ada.' }] }])
    expect(JSON.stringify(asked[0]?.prompt)).toContain('Always add before you echo.')
  })

  test('an elicitation reaches the handler of the host, and is not announced without one', async () => {
    const { url } = await serveMcp(serve)
    const space = { mcp_servers: [{ alias: 'notes' }] }
    const alone = await run(agent(space), 'go', { ...play(call('ask')), mcpServers: { notes: { url } } })
    expect(answers(alone.events)).toEqual([expect.stringMatching(/does not support.*elicitation/i)])
    const onElicitation = () => ({ action: 'accept', content: { name: 'Ada' } })
    const asked = await run(agent(space), 'go', { ...play(call('ask')), mcpServers: { notes: { url } }, onElicitation })
    expect(answers(asked.events)).toEqual(['{"action":"accept","content":{"name":"Ada"}}'])
  })
})

describe('remote agents', () => {
  test.each([
    ['1.0', serveAgent, false],
    ['1.0, streaming', serveAgent, true],
    ['0.3', serveAgent03, false],
    ['0.3, streaming', serveAgent03, true],
  ] as const)(
    'of protocol %s: the card stands in the description, a question back is answered',
    async (_, start, streaming) => {
      const { url } = await start(
        serve,
        (text, again) => [again ? { state: 'completed', text: `${text}!` } : { state: 'input-required', text: 'who?' }],
        streaming,
      )
      const { model, asked } = recorded([
        call('far', { message: 'hi' }),
        call('far', { message: 'Ada' }),
        { text: 'done' },
      ])
      const options = { models: () => model, remoteAgents: { far: { url } } }
      const { events } = await run(agent({ remote_agents: [{ alias: 'far' }] }), 'go', options)
      expect(answers(events)).toEqual([expect.stringMatching(/more input .*: who\?$/), 'Ada!'])
      const [tool] = asked[0]?.tools ?? []
      expect(tool).toMatchObject({ name: 'far', description: expect.stringContaining('An agent that sums.') })
      expect(tool).toMatchObject({ description: expect.stringContaining('Sums things up.') })
    },
  )

  test('only the skills in the allow list', async () => {
    const { url, heard } = await serveAgent(serve, () => [{ message: 'fine' }])
    const entry = { alias: 'far', allowed_skills: ['sum', 'burn'] }
    const turns = [
      call('far__sum', { message: 'a' }),
      call('far__burn', { message: 'b' }),
      call('far', { message: 'c' }),
    ]
    const { result, events } = await run(agent({ remote_agents: [entry] }), 'go', {
      ...play(...turns),
      remoteAgents: { far: { url } },
    })
    expect(answers(events)[0]).toBe('fine')
    expect(heard).toHaveLength(1)
    expect(result?.warnings).toMatchObject([{ code: 'tool_not_offered' }])
  })
})

test('all unreachable peers are reported before the first model call', async () => {
  const nowhere = `http://127.0.0.1:${await freePort()}`
  const child = agent({ remote_agents: [{ alias: 'far' }] })
  const root = react('m', { action_space: { mcp_servers: [{ alias: 'a' }, { alias: 'b' }] }, agents: { child } })
  const { error, events } = await run(root, 'go', {
    ...play(),
    mcpServers: { a: { command: '/no/such/command' }, b: { url: `${nowhere}/mcp` } },
    remoteAgents: { far: { url: nowhere } },
  })
  expect(error).toMatchObject({ code: 'unmapped_server' })
  for (const part of [
    'MCP server a is unreachable',
    'MCP server b is unreachable',
    'remote agent far is unreachable',
    'ENOENT',
    'ECONNREFUSED',
  ]) {
    expect(error?.message).toContain(part)
  }
  expect(events.some((event) => event.type === 'model-called')).toBe(false)
})

test('a configuration binds all peers, and events contain no secrets', async () => {
  const home = await mkdtemp(join(tmpdir(), 'joust-wired-'))
  const { url } = await serveMcp(serve)
  const far = await serveAgent(serve, () => [{ state: 'failed', text: 'no' }])
  const [script] = fixture('mcp-server.mjs').args ?? []
  const text = `
bindings:
  mcp_servers:
    notes: { url: "${url}", headers: { Authorization: "Bearer \${KEY}" } }
    sums: { command: "${process.execPath}", args: ["${script}"], env: { KEY: "\${KEY}" } }
  remote_agents:
    far: { url: "${far.url}", headers: { x-key: "\${KEY}" } }
`
  await writeFile(join(home, 'joust.yaml'), text)
  const config = await loadBindings(join(home, 'joust.yaml'), { environment: { KEY: 's3cret-0123' } })
  if (!config.ok) throw new Error(JSON.stringify(config.error))
  const turns = [call('notes__add', { a: 1, b: 1 }), call('die'), call('far', { message: 'hi' })]
  const space = { mcp_servers: [{ alias: 'notes' }, { alias: 'sums' }], remote_agents: [{ alias: 'far' }] }
  const { events, result } = await run(agent(space), 'go', { ...config.value, ...play(...turns) })
  expect(result?.output).toBe('done')
  expect(answers(events)).toHaveLength(3)
  expect(far.heard[0]?.headers).toMatchObject({ 'x-key': 's3cret-0123' })
  expect(JSON.stringify(events)).not.toContain('s3cret-0123')
  await rm(home, { recursive: true })
})

test('a closed runtime leaves no process, pipe or open stream', async () => {
  const handles = () => process.getActiveResourcesInfo().filter((kind) => /Process|Pipe/.test(kind)).length
  const server = await serveMcp(serve)
  const far = await serveAgent(serve, () => [{ message: 'hi' }])
  const before = handles()
  const mcpServers = { sums: fixture('mcp-server.mjs'), notes: { url: server.url } }
  const space = { mcp_servers: [{ alias: 'sums' }, { alias: 'notes' }], remote_agents: [{ alias: 'far' }] }
  const turns = [call('sums__add', { a: 1, b: 1 }), call('far', { message: 'hi' })]
  const options = { ...play(...turns), mcpServers, remoteAgents: { far: { url: far.url } } }
  const { result } = await run(agent(space), 'go', options)
  expect(result?.output).toBe('done')
  const streams = server.requests.filter(({ method }) => method === 'GET')
  expect(streams).not.toEqual([])
  await vi.waitFor(() => {
    expect(handles()).toBe(before)
    expect(streams.every(({ destroyed, socket }) => destroyed || socket.destroyed)).toBe(true)
  })
})
