/** The official SDK as the server, over real sockets and as a real process. */
import { createServer, type Server as NodeServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { systemClock } from '@joust/io'
import type { Value } from '@joust/source'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server'
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/server/validators/cf-worker'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Driver } from '../../../src/drivers/driver.ts'
import { createMcpClientDriver } from '../../../src/drivers/mcp-client/driver.ts'
import type { ClientEnd } from '../../../src/model/wiring.ts'
import { spawnPipe } from '../../../src/transport/child-process.ts'
import { createHttpSend } from '../../../src/transport/http-client.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const endings: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end()
})

/** Opens, performs and returns what the stage has seen. */
async function play(state: Value, end: ClientEnd) {
  const stage = createFakeStage('mcp_client', state)
  const driver: Driver = createMcpClientDriver(contextOf(stage, systemClock), end)
  endings.push(() => driver.close())
  await driver.open()
  const performed = driver.perform?.(stage.scene(), new AbortController().signal)
  return { stage, driver, performed }
}

async function listen(http: NodeServer): Promise<ClientEnd> {
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  endings.push(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  // A server that listens on a port has an address of this type.
  const { port } = http.address() as AddressInfo
  return { kind: 'http', url: `http://127.0.0.1:${port}/mcp`, send: createHttpSend() }
}

const call = (name: string, more: Value = {}) => ({ method: 'tools/call', params: { name, arguments: more } })

describe('over sockets', () => {
  /** One session, as the SDK serves it. */
  async function serve(options: { readonly enableJsonResponse?: boolean } = {}) {
    const server = new Server(
      { name: 'sdk', version: '2' },
      {
        capabilities: { tools: { listChanged: true } },
        // The default one generates code from strings, which tests must not do.
        jsonSchemaValidator: new CfWorkerJsonSchemaValidator(),
      },
    )
    server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'ask', inputSchema: { type: 'object' } }] }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      if (params.name === 'change') await server.sendToolListChanged()
      if (params.name !== 'ask') return { content: [] }
      const { content } = await mcpReq.elicitInput({
        message: 'PIN?',
        requestedSchema: { type: 'object', properties: { pin: { type: 'string' } } },
      })
      const sampled = await mcpReq.requestSampling({
        messages: [{ role: 'user', content: { type: 'text', text: 'hm' } }],
        maxTokens: 5,
      })
      return { content: [{ type: 'text', text: JSON.stringify({ content, sampled }) }] }
    })
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => 'session-7', ...options })
    await server.connect(transport)
    const ended: string[] = []
    const end = await listen(
      createServer((request, response) => {
        if (request.method === 'DELETE') ended.push(String(request.headers['mcp-session-id']))
        void transport.handleRequest(request, response)
      }),
    )
    endings.push(() => server.close())
    return { end, ended }
  }

  test('lists, answers a server request during a call, receives change notifications, disconnects', async () => {
    const changed = 'notifications/tools/list_changed'
    const { end, ended } = await serve()
    const state = {
      capabilities: { elicitation: {}, sampling: {} },
      actions: [{ method: 'tools/list' }, call('ask'), { method: 'no/such' }, call('change')],
      elicitation_responses: [{ content: { pin: '0000' } }],
      sampling_responses: [{ content: { model: 'm', role: 'assistant', content: { type: 'text', text: 'sampled' } } }],
    }
    const { stage, driver, performed } = await play(state, end)
    await performed
    const surfaces = stage.events.map(({ surface }) => surface)
    expect(surfaces.filter((surface) => surface !== changed)).toEqual([
      'initialize',
      'tools/list',
      'elicitation/create',
      'sampling/createMessage',
      'tools/call',
      'no/such',
      'tools/call',
    ])
    const answers = stage.messages.filter(({ flow, surface }) => flow === 'in' && surface === 'tools/call')
    expect(JSON.stringify(answers[0]?.content)).toContain('0000')
    expect(JSON.stringify(answers[0]?.content)).toContain('sampled')
    expect(stage.events.find(({ surface }) => surface === 'no/such')?.content).toMatchObject({ code: -32601 })
    expect(stage.messages.slice(1).every(({ session }) => session === 'session-7')).toBe(true)
    await vi.waitFor(() => expect(stage.events.map(({ surface }) => surface)).toContain(changed))
    await driver.close()
    expect(ended).toEqual(['session-7'])
    expect(stage.reports).toEqual([])
  })

  test('answers as plain JSON', async () => {
    const { end } = await serve({ enableJsonResponse: true })
    const { stage, performed } = await play({ actions: [{ method: 'tools/list' }] }, end)
    await performed
    expect(stage.events.at(-1)).toMatchObject({ surface: 'tools/list', content: { tools: [{ name: 'ask' }] } })
  })

  test('2026-07-28: questions come as results', async () => {
    const handler = toNodeHandler(
      createMcpHandler(() => {
        const server = new Server({ name: 'sdk', version: '2' }, { capabilities: { tools: {} } })
        server.setRequestHandler('tools/call', ({ params }, { mcpReq }) => {
          if (mcpReq.inputResponses !== undefined) {
            return { content: [{ type: 'text', text: `${params.name} ${JSON.stringify(mcpReq.inputResponses)}` }] }
          }
          const requestedSchema = { type: 'object', properties: { pin: { type: 'string' } } } as const
          return inputRequired({ inputRequests: { e: inputRequired.elicit({ message: 'PIN?', requestedSchema }) } })
        })
        return server
      }),
    )
    // Its request type rules out undefined where Node's allows it.
    const end = await listen(createServer(handler as RequestListener))
    const state = {
      protocol_version: '2026-07-28',
      capabilities: { elicitation: { form: {} } },
      actions: [{ method: 'server/discover' }, call('ask')],
      elicitation_responses: [{ content: { pin: '0000' } }],
    }
    const { stage, performed } = await play(state, end)
    await performed
    expect(stage.events.map(({ surface }) => surface)).toEqual([
      'server/discover',
      'tools/call',
      'elicitation/create',
      'tools/call',
    ])
    expect(stage.events[0]?.content).toMatchObject({ supportedVersions: expect.arrayContaining(['2026-07-28']) })
    expect(JSON.stringify(stage.events.at(-1)?.content)).toContain('0000')
    expect(stage.reports).toEqual([])
  })

  test('a port without a listener', async () => {
    const http = createServer()
    const end = await listen(http)
    await new Promise((resolve) => http.close(resolve))
    await expect(play({}, end)).rejects.toMatchObject({ code: 'connect_failed' })
  })
})

describe('as a process', () => {
  const script = fileURLToPath(new URL('../../fixtures/mcp-stdio-server.mjs', import.meta.url))
  const spawned = (args: readonly string[]): ClientEnd => ({
    kind: 'pipe',
    open: spawnPipe({ command: process.execPath, args, maxLineBytes: 1024 * 1024 }),
  })

  test('lists and calls', async () => {
    const actions = [{ method: 'tools/list' }, call('echo', { text: 'hello' })]
    const { stage, performed } = await play({ actions }, spawned([script]))
    await performed
    expect(stage.events.map(({ surface }) => surface)).toEqual(['initialize', 'tools/list', 'tools/call'])
    expect(stage.events.at(-1)?.content).toEqual({ content: [{ type: 'text', text: 'hello' }] })
    expect(stage.reports).toEqual([])
  })

  test('that ends in mid-call', async () => {
    const { stage, performed } = await play({ actions: [call('crash'), call('echo')] }, spawned([script]))
    await expect(performed).rejects.toMatchObject({ code: 'connection_lost', message: /code 3/ })
    expect(stage.messages.at(-1)).toMatchObject({ flow: 'out', surface: 'tools/call' })
    expect(stage.reports).toMatchObject([{ code: 'connection-lost' }])
  })

  test('that is not a server', async () => {
    const end = spawned(['-e', 'console.log("usage: server")'])
    await expect(play({}, end)).rejects.toMatchObject({ code: 'connect_failed' })
  })

  test('that does not exist', async () => {
    const open = spawnPipe({ command: '/nowhere/at/all', maxLineBytes: 1024 })
    await expect(play({}, { kind: 'pipe', open })).rejects.toMatchObject({ code: 'connect_failed' })
  })
})
