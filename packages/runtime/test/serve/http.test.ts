import { request } from 'node:http'
import { connect } from 'node:net'
import { deferred } from '@joust/io'
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { serveA2a } from '../../src/serve/a2a.ts'
import { serveAgUi } from '../../src/serve/ag-ui.ts'
import { openEventStream, type ServeOptions, serveHttp } from '../../src/serve/http.ts'
import { serveMcp } from '../../src/serve/mcp.ts'
import { leaf } from '../support/agents.ts'
import { until, useHost } from '../support/serve.ts'

const { host, closing } = useHost()
const agent = leaf(({ input }) => input, { input: { type: 'string' }, output: { type: 'string' } })

const servers = [
  ['AG-UI', serveAgUi],
  ['A2A', serveA2a],
  ['MCP', serveMcp],
] as const

async function serve(start: (typeof servers)[number][1], options: ServeOptions = {}) {
  const { runtime, events } = host()
  return { ...closing(await start(runtime, agent, options)), events }
}

interface Sent {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** `fetch` does not allow a choice of `Host` and `Origin`. */
function send(url: string, { method = 'POST', path = '/', headers = {}, body = '{}' }: Sent) {
  const { hostname, port } = new URL(url)
  return new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, headers: { 'content-type': 'application/json', ...headers } },
      async (response) => {
        let text = ''
        for await (const chunk of response) text += chunk
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text })
      },
    )
    sent.on('error', reject)
    sent.end(method === 'GET' ? undefined : body)
  })
}

describe.each(servers)('a server for %s', (_, start) => {
  it('listens on a free port of the loopback interface', async () => {
    const { url } = await serve(start)
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9][0-9]+\/$/)
  })

  it.each([
    'evil.example',
    'evil.example:80',
    '10.0.0.1',
    '127.0.0.1.evil.example',
    'a@127.0.0.1',
    'localhost/x',
    '[::1',
  ])('rejects the host %j', async (name) => {
    const { url, events } = await serve(start)
    const { status, body } = await send(url, { headers: { host: name } })
    expect(status).toBe(403)
    expect(JSON.parse(body).error).toContain('host')
    expect(events).toEqual([])
  })

  it.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://', 'nonsense'])(
    'refuses the origin %j',
    async (origin) => {
      const { url } = await serve(start)
      const { status, headers } = await send(url, { headers: { origin } })
      expect(status).toBe(403)
      expect(headers['access-control-allow-origin']).toBeUndefined()
      expect((await send(url, { method: 'OPTIONS', headers: { origin } })).status).toBe(403)
    },
  )

  it('accepts its own origin and listed origins', async () => {
    const { url } = await serve(start, { allowedOrigins: ['https://app.example'], allowedHosts: ['agent.example'] })
    const passes = async (headers: Record<string, string>) => (await send(url, { headers, body: '{' })).status
    expect(await passes({ origin: new URL(url).origin })).toBe(400)
    expect(await passes({ host: 'localhost:1' })).toBe(400)
    expect(await passes({ host: 'AGENT.example' })).toBe(400)
    expect(await passes({ origin: 'https://app.example' })).toBe(400)
    expect(await passes({ origin: 'https://app.example.evil' })).toBe(403)
    const asked = await send(url, { method: 'OPTIONS', headers: { origin: 'https://app.example' } })
    expect(asked).toMatchObject({ status: 204, headers: { 'access-control-allow-origin': 'https://app.example' } })
  })

  it('rejects a large body with and without content-length', async () => {
    const { url } = await serve(start, { maxBodyBytes: 1000 })
    const body = JSON.stringify('x'.repeat(5000))
    expect((await send(url, { body })).status).toBe(413)
    expect((await send(url, { body, headers: { 'transfer-encoding': 'chunked' } })).status).toBe(413)
    expect((await send(url, { body: '{' })).status).toBe(400)
  })

  it.each<[string, Sent, number]>([
    ['no JSON', { body: '{"a":' }, 400],
    ['no body', { body: '' }, 400],
    ['no UTF-8', { body: Buffer.from([0x22, 0xff, 0x22]) }, 400],
    ['a number beyond a double', { body: '{"a":1e999}' }, 400],
    ['an integer that would not keep its digits', { body: '{"a":9007199254740993}' }, 400],
    ['one with an exponent', { body: '{"a":9007199254740993e0}' }, 400],
    ['nested without end', { body: '['.repeat(100_000) + ']'.repeat(100_000) }, 400],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415],
    ['an encoding', { headers: { 'content-encoding': 'gzip' } }, 415],
    ['another path', { path: '/admin' }, 404],
    ['another method', { method: 'PUT' }, 405],
  ])('rejects %s', async (_, sent, status) => {
    const { url, events } = await serve(start)
    expect((await send(url, sent)).status).toBe(status)
    expect(events).toEqual([])
  })

  it('reports a port in use', async () => {
    const { url } = await serve(start)
    await expect(serve(start, { port: Number(new URL(url).port) })).rejects.toMatchObject({
      error: { code: 'listen_failed', message: expect.stringContaining('EADDRINUSE') },
    })
  })

  it('stops even if clients keep connections open', async () => {
    const { url, close } = await serve(start)
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    const ended = new Promise<void>((resolve) => socket.on('close', () => resolve()))
    socket.on('error', () => {})
    // Half a request, which the server would otherwise wait for.
    await new Promise<void>((resolve) => socket.write('POST / HTTP/1.1\r\nhost: localhost\r\n', () => resolve()))
    await send(url, { headers: { connection: 'keep-alive' } })
    await close()
    await ended
    await expect(send(url, {})).rejects.toThrow()
  })
})

describe('a stream', () => {
  it('that is not read is closed', async () => {
    const hungUp = deferred()
    const served = closing(
      await serveHttp(async ({ response, signal }) => {
        const stream = openEventStream(response)
        while (!signal.aborted) {
          stream.send('x'.repeat(1_000_000))
          await new Promise((resolve) => setImmediate(resolve))
        }
        hungUp.resolve()
      }, {}),
    )
    const { hostname, port } = new URL(served.url)
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n')
    await hungUp.promise
    socket.destroy()
  })
})

describe('many runs', () => {
  it('leave no sockets, servers or timers', async () => {
    const before = open()
    for (let round = 0; round < 20; round++) {
      const { url, close } = await serve(serveAgUi)
      const messages = [{ id: 'u', role: 'user', content: 'hi' }]
      const body = JSON.stringify({ threadId: 't', runId: 'r', messages, tools: [], context: [] })
      const answers = await Promise.all([1, 2, 3].map(() => send(url, { body })))
      for (const answer of answers) expect(answer.body).toContain('RUN_FINISHED')
      await close()
    }
    await until(() => open() <= before)
  })
})

function open(): number {
  return process.getActiveResourcesInfo().filter((name) => /TCP|Timeout/.test(name)).length
}

describe('AG-UI requests', () => {
  it('an invalid RunAgentInput is rejected with its problems', async () => {
    const { url } = await serve(serveAgUi)
    const whole = { threadId: 't', runId: 'r', messages: [], tools: [], context: [] } satisfies Value
    const status = async (body: Value) => send(url, { body: JSON.stringify(body) })
    expect(await status({})).toMatchObject({ status: 422, body: expect.stringContaining('threadId') })
    expect(await status([])).toMatchObject({ status: 422 })
    expect(await status({ ...whole, messages: [{ id: '1', role: 'wizard' }] })).toMatchObject({ status: 422 })
    const silent = await status({ ...whole, more: 1 })
    expect(silent).toMatchObject({ status: 200, body: expect.stringContaining('RUN_ERROR') })
  })
})
