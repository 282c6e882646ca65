/** The official client against the driver, over sockets and over standard input and output. */
import { readFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { systemClock } from '@joust/io'
import { load } from '@joust/oatf'
import { invariant, type Value } from '@joust/source'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterEach, describe, expect, it } from 'vitest'
import { createMcpServerDriver } from '../../../src/drivers/mcp-server/driver.ts'
import type { ServerEnd } from '../../../src/model/wiring.ts'
import { listenHttp } from '../../../src/transport/http-server.ts'
import { stdioPipe } from '../../../src/transport/stdio.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** The phase of the honest document, with changes to its state. */
function honest(changes: Record<string, Value> = {}) {
  const document = load(readFileSync(new URL('../../fixtures/honest-server.oatf.yaml', import.meta.url), 'utf8'))
  invariant(document.ok, 'the fixture loads')
  const phase = document.value.document.attack.execution?.actors?.[0]?.phases[0]
  invariant(phase !== undefined, 'the fixture has a phase')
  return createFakeStage('mcp_server', { ...(phase.state as object), ...changes }, phase.extractors)
}

async function serve(end: ServerEnd, changes: Record<string, Value> = {}) {
  const stage = honest(changes)
  const driver = createMcpServerDriver(contextOf(stage, systemClock, { newId: () => crypto.randomUUID() }), end)
  await driver.open()
  closing.push(() => driver.close())
  return { stage, driver }
}

async function overHttp(changes: Record<string, Value> = {}) {
  const served = await serve({ kind: 'http', listen: listenHttp({ maxBodyBytes: 1_000_000 }) }, changes)
  const url = new URL(served.driver.address?.() ?? '')
  return { ...served, transport: new StreamableHTTPClientTransport(url) }
}

/** A child process that hands its standard input and output over to this process. */
async function overStdio() {
  let server: ReturnType<typeof createServer> | undefined
  const connected = new Promise<Socket>((resolve) => {
    server = createServer(resolve)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  closing.push(() => new Promise((resolve) => server?.close(resolve)))
  const address = server?.address()
  const port = typeof address === 'object' ? address?.port : 0
  const bridge = `const s = require('net').connect(${port}, '127.0.0.1'); process.stdin.pipe(s); s.pipe(process.stdout)`
  const transport = new StdioClientTransport({ command: process.execPath, args: ['-e', bridge] })
  const served = connected.then((socket) => {
    closing.push(async () => socket.destroy())
    return serve({ kind: 'pipe', pipe: stdioPipe({ maxLineBytes: 1_000_000, input: socket, output: socket }) })
  })
  return { transport, served }
}

function createClient(options: ConstructorParameters<typeof Client>[1] = {}) {
  const client = new Client(
    { name: 'official', version: '1' },
    { capabilities: { sampling: {}, elicitation: {}, roots: {} }, ...options },
  )
  client.setRequestHandler('elicitation/create', async () => ({
    action: 'accept',
    content: { username: 'ada', email: 'ada@example.test' },
  }))
  client.setRequestHandler('sampling/createMessage', async ({ params }) => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: `about ${JSON.stringify(params.messages)}` },
  }))
  closing.push(() => client.close())
  return client
}

/** Does everything that a client does with a server. */
async function useAll(client: Client) {
  const notes: string[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void notes.push(String(params.data)))
  const progress: number[] = []
  const call = (name: string, args: Record<string, unknown> = {}) => client.callTool({ name, arguments: args })
  expect(client.getServerVersion()).toEqual({ name: 'honest', version: '1.2.3' })
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('test_sampling')
  expect(await call('test_simple_text')).toMatchObject({ content: [{ type: 'text', text: 'Just a text.' }] })
  expect(await call('test_error_handling')).toMatchObject({ isError: true })
  await call('test_tool_with_logging')
  const onprogress = (now: { progress: number }) => void progress.push(now.progress)
  await client.callTool({ name: 'test_tool_with_progress', arguments: {} }, { onprogress })
  expect(await call('test_sampling', { prompt: 'cats' })).toMatchObject({
    content: [{ text: expect.stringContaining('about [{"role":"user","content":{"type":"text","text":"cats"}}]') }],
  })
  expect(await call('test_elicitation', { message: 'Who?' })).toMatchObject({
    content: [{ text: 'The user chose accept: {"username":"ada","email":"ada@example.test"}' }],
  })
  await expect(call('no_such_tool')).rejects.toThrow('Unknown tool')
  expect(await client.readResource({ uri: 'test://template/7/data' })).toMatchObject({
    contents: [{ uri: 'test://template/7/data', text: '{"read":"test://template/7/data"}' }],
  })
  const { messages } = await client.getPrompt({
    name: 'test_prompt_with_arguments',
    arguments: { arg1: 'a', arg2: 'b' },
  })
  expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'First a, then b' } }])
  return { notes, progress }
}

describe('the official client', () => {
  it('uses all features over HTTP, and receives change notifications', async () => {
    const { transport, driver, stage } = await overHttp()
    const client = createClient()
    await client.connect(transport)
    expect(await useAll(client)).toEqual({ notes: ['Begun', 'Half done', 'Done'], progress: [0, 50, 100] })
    const changed = new Promise((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', resolve)
    })
    await driver.send({ method: 'notifications/tools/list_changed' }, stage.scene())
    await changed
    client.setRequestHandler('roots/list', async () => ({ roots: [{ uri: 'file:///secret' }] }))
    const { reply } = await driver.send({ method: 'roots/list' }, stage.scene())
    await reply
    expect(stage.messages.at(-1)).toMatchObject({
      direction: 'response',
      surface: 'roots/list',
      content: { roots: [{ uri: 'file:///secret' }] },
      session: transport.sessionId,
    })
    expect(stage.reports).toEqual([])
  })

  it('falls back to the handshake when it probes for a newer protocol', async () => {
    const { transport, stage } = await overHttp()
    const client = createClient({ versionNegotiation: { mode: 'auto' } })
    await client.connect(transport)
    expect(client.getNegotiatedProtocolVersion()).toBe('2025-11-25')
    expect(stage.events[0]?.surface).toBe('server/discover')
    await client.ping()
  })

  it('uses the newer protocol when the document does', async () => {
    const { transport, stage, driver } = await overHttp({ protocol_version: '2026-07-28' })
    const client = createClient({ versionNegotiation: { mode: 'auto' } })
    const changed = new Promise((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', resolve)
    })
    await client.connect(transport)
    expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
    const { progress } = await useAll(client)
    expect(progress).toEqual([0, 50, 100])
    await client.listen({ toolsListChanged: true })
    await driver.send({ method: 'notifications/tools/list_changed' }, stage.scene())
    await changed
    expect(stage.messages.every(({ session }) => session === undefined)).toBe(true)
    expect(stage.events.map(({ surface }) => surface)).toEqual(
      expect.arrayContaining(['server/discover', 'elicitation/create', 'sampling/createMessage']),
    )
    // Its calls set no log level.
    expect(new Set(stage.reports.map(({ code }) => code))).toEqual(new Set(['not-delivered']))
  })

  it('uses all features over standard input and output', async () => {
    const { transport, served } = await overStdio()
    const client = createClient()
    const connecting = client.connect(transport)
    const { driver, stage } = await served
    await connecting
    // This client drops progress that arrives in the same chunk as the answer.
    expect((await useAll(client)).notes).toEqual(['Begun', 'Half done', 'Done'])
    const changed = new Promise((resolve) => {
      client.setNotificationHandler('notifications/tools/list_changed', resolve)
    })
    await driver.send({ method: 'notifications/tools/list_changed' }, stage.scene())
    await changed
    expect(stage.reports).toEqual([])
  })
})

it('wire 12: the official client, which has no tasks of its own, reads the declaration and calls as before', async () => {
  const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } }
  const tool = {
    name: 'slow',
    inputSchema: { type: 'object' },
    execution: { taskSupport: 'optional' },
    responses: [{ content: [{ type: 'text', text: 'done' }] }],
  }
  const { transport } = await overHttp({ capabilities: { tools: {}, tasks }, tools: [tool] })
  const client = createClient()
  await client.connect(transport)
  expect(client.getServerCapabilities()).toMatchObject({ tasks })
  expect((await client.listTools()).tools).toMatchObject([{ name: 'slow', execution: { taskSupport: 'optional' } }])
  expect(await client.callTool({ name: 'slow', arguments: {} })).toMatchObject({ content: [{ text: 'done' }] })
})
