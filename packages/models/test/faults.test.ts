/** Providers and agents that misbehave: each leaves a diagnostic, bounded memory, and no complete answer. */
import { Agent, createServer, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startModelProxy } from '../src/index.ts'
import { modelLimits } from '../src/model/limits.ts'
import { codes, listen, openRun, send, startProvider, startProxy, startRawProvider } from './support.ts'

const chat = '/v1/chat/completions'
const whole = '{"choices":[{"index":0,"message":{"content":"hi"},"finish_reason":"stop"}]}'
const event = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n'
const chunk = (text: string) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

describe('a provider', () => {
  test('that sends half a stream and closes: the agent sees all of it, and the break', async () => {
    const run = await openRun({
      upstream: await startRawProvider((socket) => socket.end(head + chunk(event({ content: 'ha' })))),
    })
    const answer = await send(`${run.url}${chat}`, { body: '{}' })
    expect(answer).toMatchObject({ status: 200, end: 'ECONNRESET' })
    expect(answer.body.toString()).toBe(event({ content: 'ha' }))
    expect(run.calls()[0]).toMatchObject({ answer: { text: 'ha' }, finish: { kind: 'cut' } })
    expect(codes(run)).toEqual(['upstream-lost'])
  })

  test('that resets the connection after its last word: not a complete answer', async () => {
    const stream = head + chunk(event({ content: 'ha' }, 'stop'))
    const url = await startRawProvider((socket) =>
      socket.write(stream, () => setTimeout(() => socket.resetAndDestroy(), 20)),
    )
    const run = await openRun({ upstream: url })
    const reset = await rawEnd(`${run.url}${chat}`)
    expect(reset).toEqual({ text: expect.stringContaining('ha'), end: 'ECONNRESET' })
    expect(run.calls()[0]?.finish).toEqual({ kind: 'cut', word: 'stop' })
    expect(codes(run)).toEqual(['upstream-lost'])
  })

  test('that closes or resets without an answer: so does the proxy', async () => {
    const closing = await openRun({ upstream: await startRawProvider((socket) => socket.end()) })
    expect(await rawEnd(`${closing.url}${chat}`)).toEqual({ text: '', end: 'close' })
    const resetting = await openRun({ upstream: await startRawProvider((socket) => socket.resetAndDestroy()) })
    expect(await rawEnd(`${resetting.url}${chat}`)).toEqual({ text: '', end: 'ECONNRESET' })
    expect([...codes(closing), ...codes(resetting)]).toEqual(['upstream-lost', 'upstream-lost'])
    expect(resetting.calls()[0]?.finish).toEqual({ kind: 'unknown' })
  })

  test('without HTTP', async () => {
    const run = await openRun({ upstream: await startRawProvider((socket) => socket.end('hello\r\n\r\n')) })
    expect((await send(`${run.url}${chat}`)).end).toBe('ECONNRESET')
    expect(codes(run)).toContain('upstream-lost')
  })

  test('that cannot be reached', async () => {
    const run = await openRun({ upstream: 'http://127.0.0.1:1' })
    const answer = await send(`${run.url}${chat}`, { body: '{}' })
    expect(answer.status).toBe(502)
    expect(answer.body.toString()).toContain('ECONNREFUSED')
    expect(run.calls()[0]?.finish).toEqual({ kind: 'unknown' })
    expect(codes(run)).toEqual(['upstream-unreachable'])
  })

  test('whose encryption fails', async () => {
    const { url, seen } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url.replace('http:', 'https:') })
    expect((await send(`${run.url}${chat}`, { body: '{}' })).status).toBe(502)
    expect(codes(run)).toEqual(['upstream-unreachable'])
    expect(seen).toEqual([])
  })

  test.each([
    ['nothing', '', 'answer-empty'],
    ['an HTML page', '<html><body>502 Bad Gateway</body></html>', 'answer-unreadable'],
    ['a cut document', '{"choices":[{"index":0,"mess', 'answer-unreadable'],
    ['a document of another kind', '{"status":"ok"}', 'answer-unreadable'],
  ])('that answers 200 with %s', async (_, body, code) => {
    const { url } = await startProvider((_request, response) => response.end(body))
    const run = await openRun({ upstream: url })
    expect((await send(`${run.url}${chat}`, { body: '{}' })).body.toString()).toBe(body)
    expect(run.calls()[0]?.finish).toEqual({ kind: 'unknown' })
    expect(codes(run)).toEqual([code])
  })

  test.each([
    [
      'zstd',
      Buffer.from('28b52ffd040019000068690a', 'hex'),
      process.versions.node.startsWith('20.') ? 'encoding-unknown' : undefined,
    ],
    ['rot13', Buffer.from('x'), 'encoding-unknown'],
    ['gzip', Buffer.from('not gzip'), 'encoding-broken'],
    ['gzip', gzipSync(Buffer.alloc(modelLimits.decompressedBytes + 1)), 'encoding-broken'],
  ])('that answers in %s which cannot be read', async (encoding, bytes, code) => {
    const { url } = await startProvider((_request, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end(bytes),
    )
    const run = await openRun({ upstream: url })
    expect((await send(`${run.url}${chat}`, { body: '{}' })).body.equals(bytes)).toBe(true)
    if (code !== undefined) expect(codes(run)).toEqual([code])
    expect(run.calls()[0]?.finish).toEqual({ kind: 'unknown' })
  })

  test('that sends more than can be kept: all of it passes', async () => {
    const piece = Buffer.alloc(1 << 20, 'x')
    const times = (modelLimits.answerBytes >> 20) + 8
    const { url } = await startProvider((_request, response) => {
      let sent = 0
      const more = () => {
        while (sent < times) {
          sent += 1
          if (!response.write(piece)) return response.once('drain', more)
        }
        return response.end()
      }
      more()
    })
    const run = await openRun({ upstream: url })
    expect((await send(`${run.url}${chat}`, { body: '{}' })).body.length).toBe(times << 20)
    expect(codes(run)).toEqual(['answer-too-large'])
    expect(run.calls()[0]?.finish).toEqual({ kind: 'unknown' })
  })

  test('that repeats the key in its refusal: the record does not have it', async () => {
    const { url } = await startProvider((req, response) =>
      response.writeHead(401).end(JSON.stringify({ error: { message: `bad key ${req.headers.authorization}` } })),
    )
    const exchanges: unknown[] = []
    const run = await openRun({ upstream: url, onExchange: (exchange) => exchanges.push(exchange) })
    const headers = ['Authorization', 'Bearer sk-live-abcdef', 'Cookie', 'session=abcdefgh']
    const answer = await send(`${run.url}/v1/models/m:generateContent?key=AIza-0123456789&x=1`, { headers, body: '{}' })
    expect(answer.body.toString()).toContain('sk-live-abcdef')
    const kept = JSON.stringify([exchanges, run.calls()])
    for (const secret of ['sk-live', 'abcdefgh', 'AIza']) expect(kept).not.toContain(secret)
    expect(run.calls()[0]?.path).toBe('/v1/models/m:generateContent?key=[hidden]&x=1')
  })

  test('that repeats the key in a header, and a key of the query decoded', async () => {
    const { url } = await startProvider((req, response) => {
      const message = `bad key ${new URL(req.url ?? '', 'http://x').searchParams.get('key')}`
      response
        .writeHead(401, { 'x-key': String(req.headers['x-goog-api-key']) })
        .end(JSON.stringify({ error: message }))
    })
    const exchanges: unknown[] = []
    const run = await openRun({ upstream: url, onExchange: (exchange) => exchanges.push(exchange) })
    const headers = ['x-goog-api-key', 'header-key-1234']
    const answer = await send(`${run.url}/v1/models/m:generateContent?key=ab%2Fcd%2B1234`, { headers, body: '{}' })
    expect(answer.body.toString()).toContain('ab/cd+1234')
    expect(answer.headers).toContain('header-key-1234')
    expect(JSON.stringify([exchanges, run.calls()])).not.toMatch(/header-key|1234/)
  })

  test('that closes a used connection just as a request comes: nothing was sent on it, so another one is opened', async () => {
    const used: Socket[] = []
    const { url } = await startProvider((req, response) => {
      used.push(req.socket)
      response.end(whole)
    })
    const run = await openRun({ upstream: url })
    const { port, pathname, host } = new URL(`${run.url}${chat}`)
    const agent = connect(Number(port), '127.0.0.1')
    const ask = `POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`
    for (let round = 1; round <= 20; round++) {
      // The request is on its way before the end of the connection is, so the proxy sees it first.
      agent.write(ask)
      used.at(-1)?.destroy()
      expect(await new Promise((resolve) => agent.once('data', (bytes) => resolve(bytes.toString())))).toMatch(
        / 200 OK/,
      )
      await new Promise((resolve) => setTimeout(resolve, 2))
      expect(used).toHaveLength(round)
    }
    agent.destroy()
    expect(codes(run)).toEqual([])
  })
})

test.each(['GET', 'POST'])('a used connection that ends after a %s was sent is replaced once', async (method) => {
  const bodies: string[] = []
  let connections = 0
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (bytes) => (body += bytes))
    request.on('end', () => {
      bodies.push(body)
      if (uses.get(request.socket) === 1) response.end(whole)
      else request.socket.destroy()
    })
  })
  const uses = new Map<unknown, number>()
  server.on('connection', () => (connections += 1))
  server.prependListener('request', ({ socket }) => uses.set(socket, (uses.get(socket) ?? 0) + 1))
  const run = await openRun({ upstream: await listen(server) })
  for (let round = 0; round < 2; round += 1)
    expect((await send(`${run.url}${chat}`, { method, body: method === 'GET' ? '' : '{"n":1}' })).status).toBe(200)
  const sent = method === 'GET' ? '' : '{"n":1}'
  expect([connections, bodies]).toEqual([2, [sent, sent, sent]])
  expect(run.calls().map(({ status }) => status)).toEqual([200, 200])
})

test('on a version of Node without zstd, it is not requested from a provider', async () => {
  const { url, seen } = await startProvider((_request, response) => response.end(whole))
  const run = await openRun({ upstream: url })
  for (const accepted of ['gzip, zstd;q=0.9, br', 'zstd', 'gzip, br'])
    await send(`${run.url}${chat}`, { headers: ['Accept-Encoding', accepted], body: '{}' })
  const isOld = process.versions.node.startsWith('20.')
  expect(seen.map(({ headers }) => headers[headers.indexOf('Accept-Encoding') + 1])).toEqual(
    isOld ? ['gzip, br', 'identity', 'gzip, br'] : ['gzip, zstd;q=0.9, br', 'zstd', 'gzip, br'],
  )
})

describe('an agent', () => {
  test('that leaves: the call to the provider ends too', async () => {
    let left = () => {}
    const closed = new Promise<void>((resolve) => {
      left = resolve
    })
    const { url } = await startProvider((_request, response) => {
      response.on('close', left)
      response.write(event({ content: 'ha' }))
    })
    const run = await openRun({ upstream: url })
    const stop = new AbortController()
    const answer = await fetch(`${run.url}${chat}`, { method: 'POST', body: '{}', signal: stop.signal })
    await answer.body?.getReader().read()
    stop.abort()
    await closed
    expect(run.calls()[0]).toMatchObject({ answer: { text: 'ha' }, finish: { kind: 'cut' } })
    expect(codes(run)).toEqual(['client-left'])
  })

  const responsesEnd = { type: 'response.completed', response: { status: 'completed', output: [] } }
  const candidate = { content: { parts: [{ text: 'ha' }] }, finishReason: 'STOP' }
  test.each([
    ['/v1/chat/completions', `${event({ content: 'ha' }, 'stop')}data: [DONE]\n\n`, 'complete'],
    ['/v1/chat/completions', event({ content: 'ha' }, 'stop'), 'cut'],
    [
      '/v1/messages',
      [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }, { type: 'message_stop' }],
      'complete',
    ],
    ['/v1/messages', [{ type: 'message_delta', delta: { stop_reason: 'end_turn' } }], 'cut'],
    ['/v1/responses', [responsesEnd], 'complete'],
    ['/v1/responses', [{ type: 'response.output_text.delta', delta: 'ha' }], 'cut'],
    ['/v1beta/models/m:streamGenerateContent', [{ candidates: [candidate] }], 'complete'],
  ])('that leaves a stream of %s with %j: %s', async (path, parts, kind) => {
    const text = typeof parts === 'string' ? parts : parts.map((part) => `data: ${JSON.stringify(part)}\n\n`).join('')
    for (const broken of [false, true]) {
      const { url } = await startProvider((_request, response) => {
        response.write(text, () => {
          if (broken) setTimeout(() => response.destroy(), 20)
        })
      })
      const run = await openRun({ upstream: url })
      const stop = new AbortController()
      const answer = await fetch(`${run.url}${path}`, { method: 'POST', body: '{}', signal: stop.signal })
      const reader = answer.body?.getReader()
      await reader?.read()
      if (broken) await reader?.read().catch(() => {})
      else stop.abort()
      while (run.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
      expect(run.calls()[0]?.finish.kind).toBe(broken ? 'cut' : kind)
    }
  })

  test('that waits for a provider without an answer until the run is closed', async () => {
    const { url, seen } = await startProvider(() => {})
    const run = await openRun({ upstream: url })
    const answer = send(`${run.url}${chat}`, { body: '{}' })
    while (seen.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    await run.close()
    expect((await answer).end).toBe('ECONNRESET')
    expect(run.calls()).toMatchObject([{ finish: { kind: 'unknown' }, diagnostics: [{ code: 'client-left' }] }])
  })

  test('whose run is closed in the middle of a fast stream', async () => {
    let begin = () => {}
    const { url } = await startProvider((_request, response) => {
      begin()
      const more = () => {
        while (!response.destroyed && response.write(event({ content: 'ha' })));
        if (!response.destroyed) response.once('drain', more)
      }
      more()
    })
    for (let round = 0; round < 5; round++) {
      const run = await openRun({ upstream: url })
      const begun = new Promise<void>((resolve) => {
        begin = resolve
      })
      const answer = send(`${run.url}${chat}`, { body: '{}' })
      await begun
      await new Promise((resolve) => setTimeout(resolve, 20))
      await run.close()
      expect((await answer).end).toBe('ECONNRESET')
      expect(codes(run)).toContain('client-left')
    }
  })

  test('that leaves in the middle of its request', async () => {
    const { url, seen } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url })
    const { port, pathname, host } = new URL(`${run.url}${chat}`)
    const socket = connect(Number(port), '127.0.0.1')
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 100\r\n\r\n{"half":`, () => {
      setTimeout(() => socket.destroy(), 20)
    })
    while (run.calls().length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(codes(run)).toEqual(['client-left'])
    expect(seen).toEqual([])
    expect((await send(`${run.url}${chat}`, { body: '{}' })).status).toBe(200)
  })

  test.each([
    ['no JSON', 'hello'],
    ['a list', '[]'],
    ['bytes that are not UTF-8', Buffer.from([0xff, 0xfe, 0x00])],
  ])('that sends %s', async (_, body) => {
    const { url, seen } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url })
    await send(`${run.url}${chat}`, { body })
    expect(seen[0]?.body).toBe(Buffer.from(body).toString('latin1'))
    expect(run.calls()[0]?.body).toBeUndefined()
    expect(codes(run)).toEqual(['request-unreadable'])
  })

  test('that sends 50 MiB: all of it passes, and is not kept', async () => {
    let size = 0
    const server = createServer((req, response) => {
      req.on('data', (bytes: Buffer) => {
        size += bytes.length
      })
      req.on('end', () => response.end(whole))
    })
    const run = await openRun({ upstream: await listen(server) })
    await send(`${run.url}${chat}`, { body: Buffer.alloc(50 << 20, 'x') })
    expect(size).toBe(50 << 20)
    expect(codes(run)).toEqual(['request-too-large'])
    expect(run.calls()[0]?.body).toBeUndefined()
  })

  test('that sends half a gigabyte in requests at once: all of it passes, and the memory for copies is bounded', async () => {
    const [mebibytes, calls] = [15, 36]
    let arrived = 0
    let peak = 0
    const server = createServer((req, response) => {
      req.on('data', (bytes: Buffer) => {
        arrived += bytes.length
        peak = Math.max(peak, process.memoryUsage().arrayBuffers)
      })
      req.on('end', () => setTimeout(() => response.end(whole), 50))
    })
    const run = await openRun({ upstream: await listen(server) })
    const body = Buffer.alloc(mebibytes << 20, 'x')
    const before = process.memoryUsage().arrayBuffers
    await Promise.all(Array.from({ length: calls }, () => send(`${run.url}${chat}`, { body })))
    expect(arrived).toBe((calls * mebibytes) << 20)
    const kept = run.calls().filter(({ diagnostics }) => diagnostics.every(({ code }) => code !== 'request-too-large'))
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length * mebibytes).toBeLessThanOrEqual(modelLimits.runBytes >> 20)
    // A buffer grows by doubling, and is copied once when it is read.
    expect(peak - before).toBeLessThan(2 * modelLimits.runBytes)
  })

  test('that takes a wrong path', async () => {
    const { url } = await startProvider((_request, response) => response.writeHead(404).end('no'))
    const run = await openRun({ upstream: url })
    expect((await send(`${run.url}/v1/chat/completion`, { body: '{}' })).status).toBe(404)
    expect(codes(run)).toEqual(['path-unknown', 'provider-refused'])
    expect(run.calls()[0]?.wire).toBe('other')
  })

  test('that requests a WebSocket is rejected with 426', async () => {
    const { url, seen } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url })
    const headers = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-key': 'x' }
    const status = await new Promise((resolve) => {
      request(`${run.url}/v1/responses`, { headers }, (answer) => resolve(answer.statusCode)).end()
    })
    expect(status).toBe(426)
    expect(seen).toEqual([])
    expect(codes(run)).toEqual(['upgrade-refused'])
    // A call would cost a part of the budget.
    expect(run.calls()).toMatchObject([{ wire: 'other', path: '/v1/responses' }])
  })

  test('that offers HTTP/2, as the client of Java does: the request passes over HTTP/1.1', async () => {
    const { url, seen } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url })
    const headers = ['Connection', 'Upgrade, HTTP2-Settings', 'Upgrade', 'h2c', 'HTTP2-Settings', 'AAMAAABk']
    expect(await send(`${run.url}${chat}`, { headers, body: '{}' })).toMatchObject({ status: 200, end: 'whole' })
    expect(seen).toMatchObject([{ method: 'POST', body: '{}' }])
    expect(run.calls()).toMatchObject([{ wire: 'openai-chat', status: 200 }])
  })

  test('that makes a thousand calls at once', async () => {
    const { url } = await startProvider((_request, response) => response.end(whole))
    const run = await openRun({ upstream: url })
    const agent = new Agent({ keepAlive: true, maxSockets: 200 })
    onTestFinished(() => agent.destroy())
    const calls = Array.from({ length: 1000 }, (_, index) =>
      send(`${run.url}${chat}`, { body: `{"n":${index}}`, agent }),
    )
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1000)
    expect(run.calls().filter(({ finish }) => finish.kind === 'complete')).toHaveLength(1000)
  })
})

describe('a proxy', () => {
  test('reports that its port is in use', async () => {
    const { url } = await startProxy()
    const port = Number(new URL(url).port)
    const started = startModelProxy({ port })
    await expect(started).rejects.toMatchObject({ name: 'ModelsError', code: 'port_in_use' })
    await expect(started).rejects.toThrow(`cannot listen on 127.0.0.1:${port}: the port is in use`)
  })

  test('listens on loopback only', async () => {
    await expect(startModelProxy({ host: '0.0.0.0' })).rejects.toMatchObject({ code: 'listen_failed' })
  })

  test.each(['ftp://x', 'nothing', 'http://user:pass@x', 'http://x/?key=1'])(
    'refuses the upstream %s',
    async (upstream) => {
      const proxy = await startProxy()
      expect(() => proxy.open({ upstream })).toThrow(expect.objectContaining({ code: 'upstream_invalid' }))
    },
  )
})

/** The end of a connection as its socket sees it. */
function rawEnd(url: string): Promise<{ readonly text: string; readonly end: string }> {
  const { port, pathname, host } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (bytes) => {
      text += bytes.toString()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => resolve({ text, end: error.code ?? '' }))
    socket.on('close', () => resolve({ text, end: 'close' }))
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`)
  })
}
