import { describe, expect, test } from 'vitest'
import { openCassette } from '../../src/cassette.ts'
import { ArenaError } from '../../src/model/errors.ts'
import type { HttpCall, HttpSend } from '../../src/model/http.ts'
import { readEventStream } from '../../src/transport/event-stream.ts'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'
import { textOf } from '../support/body.ts'
import { folder, textIn } from './folders.ts'

const scope = { attack: 'a.oatf.yaml', trial: 3 }
const dead: HttpSend = () => Promise.reject(new Error('a live request'))
const call = (url: string, body?: string, more: Partial<HttpCall> = {}): HttpCall => ({
  method: 'POST',
  url,
  signal: new AbortController().signal,
  ...(body === undefined ? {} : { body }),
  ...more,
})

async function record(path: string, send: HttpSend, work: (send: HttpSend) => Promise<unknown>, options = {}) {
  const cassette = openCassette(path, 'record', scope, options)
  await work(cassette.http(send))
  cassette.close()
}

const replay = (path: string, options = {}) => openCassette(path, 'replay', scope, options).http(dead)

/** Answers every request with these chunks. */
function answering(chunks: readonly Uint8Array[], headers: Record<string, string> = {}): HttpSend {
  return async () => ({
    status: 200,
    headers,
    body: (async function* () {
      yield* chunks
    })(),
  })
}

const bytes = (text: string) => new TextEncoder().encode(text)

async function chunksOf(body: AsyncIterable<Uint8Array>): Promise<number[][]> {
  const chunks: number[][] = []
  for await (const chunk of body) chunks.push([...chunk])
  return chunks
}

test('status, headers and the body chunk by chunk, also where a chunk ends inside a character', async () => {
  const path = folder()
  const chunks = [bytes('data: ä'), Uint8Array.from([0xc3]), Uint8Array.from([0xa4, 10]), Uint8Array.from([0xff])]
  await record(path, answering(chunks, { 'content-type': 'text/event-stream' }), async (send) =>
    textOf(await send(call('http://127.0.0.1:4000/agent', '{"a":1}'))),
  )
  // Another port, other spacing: the same request.
  const answer = await replay(path)(call('http://127.0.0.1:5000/agent', '{ "a": 1 }'))
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } })
  expect(await chunksOf(answer.body)).toEqual(chunks.map((chunk) => [...chunk]))
})

test('requests that differ in a large integer are not the same', async () => {
  const path = folder()
  const [one, other] = ['{"n":9007199254740993}', '{"n":9007199254740992}']
  const echo: HttpSend = (asked) => answering([bytes(String(asked.body))])(asked)
  await record(path, echo, async (send) => {
    for (const body of [one, other]) await textOf(await send(call('http://h/', body)))
  })
  const send = replay(path)
  expect(await textOf(await send(call('http://h/', other)))).toBe(other)
  expect(await textOf(await send(call('http://h/', one)))).toBe(one)
})

test('no secret of a header or an address is written', async () => {
  const path = folder()
  const headers = {
    'set-cookie': 's3cret',
    'www-authenticate': 's3cret',
    'x-api-key': 's3cret',
    'mcp-session-id': 'kept',
  }
  const given = { authorization: 'Bearer s3cret', cookie: 's3cret' }
  await record(path, answering([], headers), async (send) =>
    textOf(await send(call('http://me:s3cret@host/agent?key=s3cret', '{}', { headers: given }))),
  )
  expect(textIn(path)).not.toContain('s3cret')
  const answer = await replay(path)(call('http://host/agent', '{}'))
  expect(answer.headers).toEqual({ 'mcp-session-id': 'kept' })
})

test('secrets are redacted across chunks', async () => {
  const path = folder()
  const redact = (value: never) => JSON.parse(JSON.stringify(value).replaceAll('hunter2', 'xxx'))
  await record(
    path,
    answering([bytes('pass hun'), bytes('ter2 end')]),
    async (send) => textOf(await send(call('http://h/', 'hunter2'))),
    { redact },
  )
  expect(textIn(path)).not.toMatch(/hun|ter2/)
  expect(await textOf(await replay(path, { redact })(call('http://h/', 'hunter2')))).toBe('pass xxx end')
})

describe('a secret that is split across events is redacted', () => {
  const events = (texts: readonly string[], write: (event: object) => string) =>
    texts.map((delta) => bytes(write({ type: 'TEXT', messageId: 'm', delta })))
  const heard = async (body: AsyncIterable<Uint8Array>) => {
    const deltas: string[] = []
    for await (const { data } of readEventStream(body, 1000)) deltas.push(JSON.parse(data).delta)
    return deltas.join('')
  }

  test.each([
    ['line feeds', (event: object) => `data: ${JSON.stringify(event)}\n\n`],
    ['carriage returns', (event: object) => `event: x\r\ndata:${JSON.stringify(event)}\r\n\r\n`],
    [
      'several lines of data',
      (event: object) => JSON.stringify(event, null, 1).replaceAll(/^/gm, 'data: ').concat('\n\n'),
    ],
  ])('with %s', async (_, write) => {
    const path = folder()
    const options = { secrets: ['hunter2'] }
    const chunks = events([...'pass hunter2 end'], write)
    await record(path, answering(chunks), async (send) => textOf(await send(call('http://h/'))), options)
    const { body } = await replay(path, options)(call('http://h/'))
    expect(await heard(body)).toBe('pass [redacted: secret] end')
  })

  test('other streams stay chunk by chunk', async () => {
    const path = folder()
    const chunks = events([...'pass hunt'], (event) => `data: ${JSON.stringify(event)}\n\n`)
    await record(path, answering(chunks), async (send) => textOf(await send(call('http://h/'))), {
      secrets: ['hunter2'],
    })
    expect(await chunksOf((await replay(path)(call('http://h/'))).body)).toEqual(chunks.map((chunk) => [...chunk]))
  })
})

describe('failures', () => {
  test('are replayed: a failed connection, a truncated body', async () => {
    const path = folder()
    let first = true
    const send: HttpSend = async () => {
      if (!first) throw new ArenaError('connect_failed', 'no listener')
      first = false
      const body = (async function* () {
        yield bytes('half')
        throw new ArenaError('connection_lost', 'gone')
      })()
      return { status: 200, headers: {}, body }
    }
    const attempt = async (each: HttpSend) => {
      const { body } = await each(call('http://h/'))
      const seen: string[] = []
      try {
        for await (const chunk of body) seen.push(new TextDecoder().decode(chunk))
      } catch (thrown) {
        return [...seen, thrown]
      }
      return seen
    }
    const work = async (each: HttpSend) => [await attempt(each), await attempt(each).catch((thrown: unknown) => thrown)]
    let live: unknown
    await record(path, send, async (each) => {
      live = await work(each)
    })
    expect(await work(replay(path))).toEqual(live)
    expect(live).toMatchObject([['half', { code: 'connection_lost' }], { code: 'connect_failed' }])
  })

  test('a stream that was open at the end of the run stays open until the end, and releases its body', async () => {
    const path = folder()
    const network = createMemoryHttp()
    let left = false
    const { origin } = await network.listen(async (request, reply) => {
      request.signal.addEventListener('abort', () => {
        left = true
      })
      reply.head(200)
      await reply.write('first')
      await new Promise(() => {})
    })
    await record(path, network.send, async (send) => {
      for await (const _ of (await send(call(origin))).body) break
    })
    expect(left).toBe(true)
    const stop = new AbortController()
    const { body } = await replay(path)(call(origin, undefined, { signal: stop.signal }))
    const chunks = body[Symbol.asyncIterator]()
    expect(await chunks.next()).toMatchObject({ done: false })
    const rest = chunks.next()
    stop.abort()
    await expect(rest).rejects.toMatchObject({ code: 'stopped' })
  })

  test('an unread body is released', async () => {
    const network = createMemoryHttp()
    let left = false
    const { origin } = await network.listen(async (request, reply) => {
      request.signal.addEventListener('abort', () => {
        left = true
      })
      reply.head(200)
      await new Promise(() => {})
    })
    await record(folder(), network.send, async (send) => {
      const { body } = await send(call(origin))
      await body[Symbol.asyncIterator]().return?.()
    })
    expect(left).toBe(true)
  })

  test('a request that was not recorded shows the nearest one', async () => {
    const path = folder()
    await record(path, answering([]), async (send) => textOf(await send(call('http://h/', '{"method":"tools/call"}'))))
    await expect(replay(path)(call('http://h/', '{"method":"tools/list"}'))).rejects.toMatchObject({
      code: 'recording_missing',
      message: expect.stringContaining(
        'differs in body: recorded {"method":"tools/call"}, now {"method":"tools/list"}',
      ),
    })
  })
})
