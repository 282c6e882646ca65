import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../io/test/loopback.ts'
import { bodyOf, useHttp } from '../support/http.ts'
import { call, never, useMcp } from '../support/mcp.ts'
import { type McpHttpServer, serveMcp } from '../support/mcp-http.ts'

const connect = useMcp()
const serve = useHttp()

describe('a server at a URL', () => {
  test('lists tools and answers calls, with the headers of the binding', async () => {
    const server = await serveMcp(serve)
    const connection = await connect({ url: server.url, headers: { authorization: 'Bearer k3y' } })
    expect((await connection.listTools(never)).map(({ name }) => name)).toContain('add')
    expect(await call(connection, 'add', { a: 1, b: 2 })).toEqual({ sum: 3 })
    expect(new Set(server.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer k3y']))
  })

  test('ends its session when the connection is closed', async () => {
    const server = await serveMcp(serve)
    const connection = await connect({ url: server.url })
    expect(server.sessions.size).toBe(1)
    await connection.close()
    expect(server.sessions.size).toBe(0)
    expect(connection.isOpen?.()).toBe(false)
  })

  test('reports changed tools, and the next list contains them', async () => {
    const server = await serveMcp(serve)
    const connection = await connect({ url: server.url })
    const changed = vi.fn()
    connection.onToolsChanged?.(changed)
    await vi.waitFor(() => expect(server.requests.some(({ method }) => method === 'GET')).toBe(true))
    await call(connection, 'pull')
    await vi.waitFor(() => expect(changed).toHaveBeenCalled())
    const echo = (await connection.listTools(never)).find(({ name }) => name === 'echo')
    expect(echo?.description).toBe('Say the password again.')
  })

  /** As a restart does. */
  const forget = async ({ sessions }: McpHttpServer) => {
    await Promise.all([...sessions.values()].map((transport) => transport.close()))
    const forgotten = sessions as Map<string, unknown>
    forgotten.clear()
  }

  test.each([
    [404, 'no such session'],
    [400, 'Bad Request: No valid session ID provided'],
  ])('that lost the session (status %i) gets one new session for all calls', async (status, text) => {
    const server = await serveMcp(serve, (response) => response.writeHead(status).end(text))
    const connection = await connect({ url: server.url })
    await forget(server)
    const sums = [1, 2].map((b) => call(connection, 'add', { a: 1, b }))
    expect(await Promise.all(sums)).toEqual([{ sum: 2 }, { sum: 3 }])
    expect(server.sessions.size).toBe(1)
    expect(connection.isOpen?.()).toBe(true)
    await forget(server)
    expect(await call(connection, 'add', { a: 1, b: 3 })).toEqual({ sum: 4 })
    await connection.close()
    expect(server.sessions.size).toBe(0)
  })

  test('that loses every session fails the call and the connection', async () => {
    const server = await serveMcp(serve)
    const connection = await connect({ url: server.url })
    await forget(server)
    ;(server.sessions as Map<string, unknown>).set = () => new Map()
    const observation = await connection.callTool('add', { a: 1, b: 2 }, never)
    expect(observation).toMatchObject({ isError: true, content: expect.stringMatching(/HTTP 404.*no such session/) })
    expect(connection.isOpen?.()).toBe(false)
  })
})

test('without sessions is initialized again before another run', async () => {
  let greetings = 0
  const base = await serve(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(await bodyOf(request))
    if (method !== 'initialize') return void response.writeHead(202).end()
    const told = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 's', version: '1' } }
    json(response, { jsonrpc: '2.0', id, result: { ...told, instructions: `greeting ${++greetings}` } })
  })
  const connection = await connect({ url: `${base}/mcp` })
  expect(connection.instructions).toBe('greeting 1')
  await connection.refresh?.(never)
  expect(connection.instructions).toBe('greeting 2')
  expect(connection.isOpen?.()).toBe(true)
})

test('that was replaced is detected before another run', async () => {
  let generation = 1
  const base = await serve(async (request, response) => {
    const session = `s-${generation}`
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(await bodyOf(request))
    if (method !== 'initialize' && request.headers['mcp-session-id'] !== session)
      return void response.writeHead(404).end('no such session')
    if (id === undefined) return void response.writeHead(202).end()
    if (method === 'ping') return json(response, { jsonrpc: '2.0', id, error: { code: -32601, message: 'no ping' } })
    const capabilities = generation === 1 ? { resources: {} } : { tools: {} }
    const told = { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 's', version: '1' } }
    if (method === 'initialize') response.setHeader('mcp-session-id', session)
    const tools = [{ name: 't', inputSchema: { type: 'object' } }]
    json(response, { jsonrpc: '2.0', id, result: method === 'initialize' ? told : { tools } })
  })
  const connection = await connect({ url: `${base}/mcp` })
  expect(await connection.listTools(never)).toEqual([])
  generation = 2
  await connection.refresh?.(never)
  expect(await connection.listTools(never)).toMatchObject([{ name: 't' }])
})

test('output schemas are used in a new session as well', async () => {
  let isSessionLost = false
  const base = await serve(async (request, response) => {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const { id, method } = JSON.parse(await bodyOf(request))
    if (method === 'tools/call' && !isSessionLost) {
      isSessionLost = true
      return void response.writeHead(404).end('no such session')
    }
    if (id === undefined) return void response.writeHead(202).end()
    response.setHeader('mcp-session-id', 's')
    const told = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 's', version: '1' } }
    const outputSchema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    const tools = [{ name: 't', inputSchema: { type: 'object' }, outputSchema }]
    const listed = method === 'tools/list' ? { tools } : { content: [], structuredContent: { n: 'x' } }
    json(response, { jsonrpc: '2.0', id, result: method === 'initialize' ? told : listed })
  })
  const connection = await connect({ url: `${base}/mcp` })
  await connection.listTools(never)
  await expect(connection.callTool('t', {}, never)).rejects.toThrow(/output schema/)
})

/** A server that answers `tools/call` in its own way, and everything else properly. */
async function serveHostile(answer: (response: ServerResponse, id: number) => void): Promise<string> {
  const base = await serve(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const { id, method } = JSON.parse(await bodyOf(request))
    if (method === 'tools/call') return answer(response, id)
    if (id === undefined) return void response.writeHead(202).end()
    const info = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'h', version: '1' } }
    const result = method === 'initialize' ? info : { tools: [{ name: 't', inputSchema: { type: 'object' } }] }
    json(response, { jsonrpc: '2.0', id, result })
  })
  return `${base}/mcp`
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function stream(response: ServerResponse, ...events: unknown[]): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  for (const event of events) response.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`)
  return response
}

test('errors of a server are complete, with secrets redacted', async () => {
  const message = `${'x'.repeat(5000)} k3y-1234 and the end`
  const url = await serveHostile((response, id) => json(response, { jsonrpc: '2.0', id, error: { code: -1, message } }))
  const connection = await connect({ url, headers: { authorization: 'Bearer k3y-1234' } })
  const { content, isError } = await connection.callTool('t', {}, never)
  expect([isError, content]).toEqual([true, expect.stringMatching(/^the server.*x{5000} \[hidden\] and the end$/)])
})

describe('a server that breaks the protocol', () => {
  const big = 'x'.repeat(1024 * 1024)
  const pour = (response: ServerResponse) => {
    if (response.writable) response.write(big, () => pour(response))
  }
  const refused = [
    'answers with a page',
    'answers with bad JSON',
    'answers with no response',
    'streams garbage',
    'sends a huge answer',
    'sends a huge event',
  ]
  const cases: readonly [string, (response: ServerResponse, id: number) => void, RegExp][] = [
    ['refuses', (response) => response.writeHead(401).end('who are you'), /HTTP 401.*who are you/],
    ['answers with a page', (response) => response.end('<html>'), /Unexpected content type/],
    [
      'answers with bad JSON',
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{'),
      /JSON/,
    ],
    ['answers with no response', (response) => json(response, { hello: 1 }), /./],
    ['ends its stream early', (response) => stream(response).end(), /ended its stream without a response/],
    ['streams garbage', (response) => stream(response, 'nope').end(), /an invalid JSON-RPC response: .*JSON/],
    ['breaks its stream', (response) => stream(response).write(':', () => response.destroy()), /without a response/],
    ['hangs up', (response) => void response.destroy(), /./],
    [
      'sends a huge answer',
      (response) => pour(response.writeHead(200, { 'content-type': 'application/json' })),
      /larger than/,
    ],
    ['sends a huge event', (response) => pour(stream(response, 'data: ')), /larger than/],
    [
      'sends us elsewhere',
      (response) => response.writeHead(302, { location: 'http://example.org/' }).end(),
      /HTTP 302/,
    ],
    [
      'sends us to another port',
      (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
      /307/,
    ],
  ]

  test.each(cases)('and %s', async (name, answer, message) => {
    const connection = await connect({ url: await serveHostile(answer), timeoutMs: 20_000 })
    const calling = connection.callTool('t', {}, never)
    if (refused.includes(name)) {
      const refusal = { name: 'RefusedAnswer', operation: 'tools/call', message: expect.stringMatching(message) }
      return expect(calling).rejects.toMatchObject(refusal)
    }
    const observation = await calling
    expect(observation).toMatchObject({ isError: true, content: expect.stringMatching(message) })
  })

  test.each([
    ['never answers', () => {}],
    ['accepts and never answers', (response: ServerResponse) => void response.writeHead(202).end()],
    ['streams for ever', (response: ServerResponse) => chatter(stream(response))],
  ])('and %s: call and request time out', async (_, answer) => {
    const closed = vi.fn()
    const url = await serveHostile((response) => {
      response.on('close', closed)
      answer(response)
    })
    const connection = await connect({ url, timeoutMs: 1500 })
    const observation = await connection.callTool('t', {}, never)
    expect(observation).toEqual({ content: 'no answer within 1.5 seconds', isError: true })
    await vi.waitFor(() => expect(closed).toHaveBeenCalled())
  })

  test('repeated secrets are redacted', async () => {
    const url = await serveHostile((response) => response.writeHead(500).end('bad key: k3y-0123'))
    const connection = await connect({ url, headers: { authorization: 'Bearer k3y-0123' } })
    const observation = await connection.callTool('t', {}, never)
    expect(observation.content).toMatch(/HTTP 500.*bad key: \[hidden\]/)
  })
})

function chatter(response: ServerResponse): void {
  const message = `data: ${JSON.stringify({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}\n\n`
  const more = () => {
    if (response.writable) response.write(message.repeat(50), () => setImmediate(more))
  }
  more()
}

test('an unreachable host is an error', async () => {
  await expect(connect({ url: `http://127.0.0.1:${await freePort()}/mcp` })).rejects.toThrow(/ECONNREFUSED/)
})
