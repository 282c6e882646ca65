/** The same call made directly and through the proxy: what the provider gets and what the agent gets are equal. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { ModelAnswer, Wire } from '../src/index.ts'
import { writeAnswer } from '../src/index.ts'
import { carried, codes, openRun, type SentRequest, send, startProvider } from './support.ts'

const paths: Readonly<Record<Exclude<Wire, 'other'>, readonly [whole: string, streamed: string]>> = {
  'openai-chat': ['/v1/chat/completions', '/v1/chat/completions'],
  'openai-responses': ['/v1/responses', '/v1/responses'],
  'anthropic-messages': ['/v1/messages?beta=true', '/v1/messages?beta=true'],
  gemini: ['/v1beta/models/g:generateContent', '/v1beta/models/g:streamGenerateContent?alt=sse'],
}
const answer: ModelAnswer = {
  text: 'Grüße ☃ and "quotes"',
  calls: [{ id: 'call_1', name: 'pay', input: { amount: 12, to: 'é' } }],
  finish: { kind: 'complete' },
  usage: { input: 11, output: 7, cached: 3 },
}
const facts = { id: '1', seconds: 1, model: 'm', usage: true }

async function both(
  respond: (request: IncomingMessage, response: ServerResponse) => void,
  path: string,
  sent: SentRequest = {},
) {
  const provider = await startProvider(respond)
  const run = await openRun({ upstream: provider.url })
  const direct = await send(`${provider.url}${path}`, sent)
  const through = await send(`${run.url}${path}`, sent)
  return { provider, run, direct, through }
}

async function expectEqual(...args: Parameters<typeof both>) {
  const { provider, run, direct, through } = await both(...args)
  expect({ ...through, headers: carried(through.headers), pieces: 0 }).toEqual({
    ...direct,
    headers: carried(direct.headers),
    pieces: 0,
  })
  const [first, second] = provider.seen
  expect({ ...second, headers: carried(second?.headers ?? []) }).toEqual({
    ...first,
    headers: carried(first?.headers ?? []),
  })
  expect(provider.seen).toHaveLength(2)
  return { run, direct, through, provider }
}

/** Answers of a provider in trouble. */
const faults: Readonly<Record<string, (response: ServerResponse) => void>> = {
  'a wrong key': (response) => response.writeHead(401).end('{"error":{"message":"no"}}'),
  'too many requests': (response) => response.writeHead(429, { 'Retry-After': '7' }).end('{"error":{"message":"no"}}'),
  'its own error': (response) => response.writeHead(500, 'Oops', ['X-A', '1', 'x-a', '2']).end('oops'),
  nothing: (response) => response.end(),
  'an HTML page': (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<html>502</html>'),
  'half a stream': (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: {"choices":[{"index":0,"delta":{"content":"I')
    setTimeout(() => response.socket?.destroy(), 10)
  },
  'no answer': (response) => response.socket?.destroy(),
  'a reset': (response) => response.socket?.resetAndDestroy(),
}

describe.each(Object.keys(paths) as Exclude<Wire, 'other'>[])('%s', (wire) => {
  test.each(Object.keys(faults))(
    'passes on %s, whole and streamed, and takes it for no complete answer',
    async (name) => {
      for (const path of paths[wire]) {
        const { run } = await expectEqual((_, response) => faults[name]?.(response), path, { body: '{"stream":true}' })
        expect(run.calls().map(({ finish }) => finish.kind)).not.toContain('complete')
        expect(codes(run)).not.toEqual([])
      }
    },
  )

  test.each([false, true])('passes on an answer, streamed: %s', async (streamed) => {
    const path = paths[wire][streamed ? 1 : 0]
    const { pieces, headers } = writeAnswer({ wire, path, streamed }, answer, facts)
    const bytes = Buffer.from(pieces.join(''))
    const respond = (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, [
        ...headers.flat(),
        'X-Request-ID',
        'req_1',
        'Set-Cookie',
        'a=1',
        'Date',
        'Tue, 01 Jan 2030 00:00:00 GMT',
        'x-y',
        '1',
        'set-cookie',
        'b=2',
      ])
      // Pieces that cut through events and characters.
      for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37))
      response.end()
    }
    const body = JSON.stringify({ model: 'm', stream: streamed, messages: [{ role: 'user', content: 'hé' }] })
    const sent = { headers: ['X-API-Key', 'sk-secret-123456', 'Accept', 'a', 'x-One', '1', 'ACCEPT', 'b'], body }
    const { run } = await expectEqual(respond, path, sent)
    const [call] = run.calls()
    expect(call).toMatchObject({ wire, streamed, status: 200, finish: { kind: 'complete' }, diagnostics: [] })
    expect(call?.answer).toEqual({ text: answer.text, calls: answer.calls })
    expect(call?.usage).toEqual(answer.usage)
    expect(JSON.stringify(call)).not.toContain('sk-secret')
  })
})

describe('any request', () => {
  const chat = '/v1/chat/completions'
  const json = (text: string) => (_: IncomingMessage, response: ServerResponse) => {
    response.writeHead(200, { 'Content-Type': 'application/json' })
    response.end(text)
  }

  test('has its own number format, spaces and unknown fields on both ways', async () => {
    const body = '{ "n": 12345678901234567890, "x": 1.0,\n "messages": [ ] }'
    await expectEqual(json(body), chat, { body })
  })

  test.each(['GET', 'DELETE', 'PUT', 'PATCH', 'POST'])('keeps the method %s on any path', async (method) => {
    await expectEqual(json('{}'), '/v1/models/a%20b?x=1&x=2', { method })
  })

  test('may be answered without a body', async () => {
    const { through } = await expectEqual((_, response) => response.writeHead(204).end(), chat)
    expect(through.status).toBe(204)
    await expectEqual((_, response) => response.writeHead(200, { 'content-length': '5' }).end(), chat, {
      method: 'HEAD',
    })
  })

  test('may have trailers, and so may its answer', async () => {
    const respond = (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { Trailer: 'X-Sum' })
      response.write('{"choices":[]}')
      response.addTrailers([['X-Sum', '17']])
      response.end()
    }
    const { provider, through } = await expectEqual(respond, chat, { body: '{}', trailers: [['X-Sum', '4']] })
    expect(through.trailers).toEqual(['X-Sum', '17'])
    expect(provider.seen[1]?.trailers).toEqual(['X-Sum', '4'])
  })

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ] as const)('keeps %s as it is, and reads it', async (encoding, compress) => {
    const text = '{"choices":[{"index":0,"message":{"content":"packed"},"finish_reason":"stop"}]}'
    const respond = (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(200, { 'Content-Encoding': encoding, 'content-type': 'application/json' })
      response.end(compress(text))
    }
    const { run, through } = await expectEqual(respond, chat, { headers: ['Accept-Encoding', encoding], body: '{}' })
    expect(through.body.equals(compress(text))).toBe(true)
    expect(run.calls()[0]?.answer.text).toBe('packed')
  })

  test.each([
    [401, 'Unauthorized', {}],
    [429, 'Slow Down', { 'Retry-After': '17', 'x-ratelimit-remaining-tokens': '0' }],
    [500, 'Oops', {}],
    [529, 'Overloaded', {}],
  ] as const)('gets the error %s with its headers', async (status, message, headers) => {
    const respond = (_: IncomingMessage, response: ServerResponse) => {
      response.writeHead(status, message, headers)
      response.end('{"error":{"message":"not now","type":"x"}}')
    }
    const { run, through } = await expectEqual(respond, chat, { body: '{}' })
    expect(through.message).toBe(message)
    const [call] = run.calls()
    expect(call).toMatchObject({ status, error: 'not now', finish: { kind: 'error', word: String(status) } })
    expect(codes(run)).toEqual(['provider-refused'])
    if (status === 429) expect(call?.diagnostics[0]?.message).toContain('retry after 17')
  })

  test('gets a redirect, which is not followed', async () => {
    const respond = (_: IncomingMessage, response: ServerResponse) =>
      response.writeHead(307, { location: 'http://127.0.0.1:1/elsewhere' }).end()
    const { run, through } = await expectEqual(respond, chat, { body: '{}' })
    expect(through.status).toBe(307)
    expect(run.calls()[0]?.finish).toEqual({ kind: 'unknown' })
    expect(codes(run)).toEqual(['redirected'])
  })

  test('gets pieces when they come', async () => {
    let go = () => {}
    const provider = await startProvider((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write('data: 1\n\n')
      go = () => response.end('data: 2\n\n')
    })
    const run = await openRun({ upstream: provider.url })
    const answer = await fetch(`${run.url}${chat}`, { method: 'POST', body: '{}' })
    const reader = answer.body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 1\n\n')
    go()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('data: 2\n\n')
  })

  test('reaches the upstream below its own path, over one connection', async () => {
    const provider = await startProvider((request, response) => response.end(String(request.socket.remotePort)))
    const run = await openRun({ upstream: `${provider.url}/base/v1/` })
    const first = await send(`${run.url}/messages?x=1`)
    const second = await send(`${run.url}`)
    expect(provider.seen.map(({ url }) => url)).toEqual(['/base/v1/messages?x=1', '/base/v1'])
    expect(second.body.toString()).toBe(first.body.toString())
  })
})

test('keeps all headers, both ways, also more than two thousand', async () => {
  const headers = Object.fromEntries(Array.from({ length: 2100 }, (_, index) => [`x-${index}`, '1']))
  const { provider, through } = await both((_, response) => response.writeHead(200, headers).end('{}'), '/v1/models', {
    headers: Object.entries(headers).flat(),
  })
  expect(through.headers).toContain('x-2099')
  expect(provider.seen[1]?.headers).toContain('x-2099')
})
