import type { ServerResponse } from 'node:http'
import { describe, expect, test, vi } from 'vitest'
import { freePort } from '../../../io/test/loopback.ts'
import { connectRemoteAgent } from '../../src/connectors/a2a.ts'
import type { UrlBinding } from '../../src/model/bindings.ts'
import { createRuntime } from '../../src/runtime.ts'
import { type Script, serveAgent, serveAgent03 } from '../support/a2a.ts'
import { bodyOf, useHttp } from '../support/http.ts'
import { never } from '../support/mcp.ts'
import { react, scripts } from '../support/react.ts'

const serve = useHttp()

const script: Script = (text, again) => {
  if (text === 'greet') return [{ message: 'hello' }]
  if (text === 'make') return [{ artifact: 'one ' }, { artifact: 'two', append: true }, { state: 'completed' }]
  if (text === 'count') return [{ artifact: 'see:' }, { data: { count: 3 } }, { state: 'completed' }]
  if (text === 'say')
    return [
      { state: 'working', text: 'wait' },
      { state: 'completed', text: 'said' },
    ]
  if (text === 'fail') return [{ state: 'failed', text: 'no luck' }]
  if (text === 'reject') return [{ state: 'rejected' }]
  if (again) return [{ state: 'completed', text: `so it is ${text}` }]
  return [{ state: 'input-required', text: 'which one?' }]
}

const peers = [
  ['1.0', serveAgent, false],
  ['1.0, streaming', serveAgent, true],
  ['0.3', serveAgent03, false],
  ['0.3, streaming', serveAgent03, true],
] as const

describe.each(peers)('an agent of protocol %s', (_, serveIt, streaming) => {
  const connect = async (more: Partial<UrlBinding> = {}) => {
    const server = await serveIt(serve, script, streaming)
    return { server, connection: await connectRemoteAgent({ url: server.url, ...more }, never) }
  }

  test('has a name, a description and skills', async () => {
    const { connection } = await connect()
    expect(connection.name).toBe('Summer')
    expect(connection.description).toBe('An agent that sums.')
    expect(connection.skills).toEqual([
      { id: 'sum', name: 'Summing', description: 'Sums things up.\nExample: Sum this up\nTags: short' },
    ])
  })

  test.each([
    ['greet', 'hello', false],
    ['make', 'one \ntwo', false],
    ['say', 'said', false],
    ['fail', 'the agent failed: no luck', true],
    ['reject', 'the agent rejected the task', true],
    ['ask', 'the agent needs more input to continue: which one?', false],
  ])('%s', async (text, content, isError) => {
    const { connection } = await connect()
    expect(await connection.send({ text }, never)).toEqual({ content, isError })
  })

  test('a follow-up question is answered in the same task', async () => {
    const { connection } = await connect()
    const thread = {}
    await connection.send({ text: 'something', thread }, never)
    expect(thread).toEqual({ contextId: expect.any(String), taskId: expect.any(String) })
    const answer = await connection.send({ text: 'the second', thread }, never)
    expect(answer).toEqual({ content: 'so it is the second', isError: false })
    expect(thread).toEqual({ contextId: expect.any(String) })
  })

  test('gets the headers, the skill and the modes of the document', async () => {
    const { connection, server } = await connect({ headers: { 'x-key': 'k' } })
    await connection.send({ text: 'greet', skill: 'sum', outputModes: ['text/plain'] }, never)
    const [heard] = server.heard
    expect(heard?.headers).toMatchObject({ 'x-key': 'k' })
    expect(heard?.params).toMatchObject({
      message: { metadata: { skill: 'sum' } },
      configuration: { acceptedOutputModes: ['text/plain'] },
    })
  })
})

test('data is passed unchanged', async () => {
  const { url } = await serveAgent(serve, script)
  const connection = await connectRemoteAgent({ url }, never)
  const answer = await connection.send({ text: 'count' }, never)
  expect(answer).toEqual({ content: { count: 3 }, isError: false })
})

describe('the modes that a document allows', () => {
  test('only JSON: the message is sent as data or rejected', async () => {
    const { url, heard } = await serveAgent(serve, () => [{ message: 'fine' }])
    const connection = await connectRemoteAgent({ url }, never)
    const inputModes = ['application/json']
    expect(await connection.send({ text: '{"a":1}', inputModes }, never)).toEqual({ content: 'fine', isError: false })
    expect(heard[0]?.params.message).toMatchObject({ parts: [{ data: { a: 1 } }] })
    expect(await connection.send({ text: 'hello', inputModes }, never)).toMatchObject({ isError: true })
    expect(heard).toHaveLength(1)
  })

  test('neither text nor JSON', async () => {
    const { url, heard } = await serveAgent(serve, script)
    const connection = await connectRemoteAgent({ url }, never)
    expect(await connection.send({ text: 'hello', inputModes: ['image/png'] }, never)).toEqual({
      content: 'cannot send text or JSON: input_modes allows only image/png',
      isError: true,
    })
    expect(heard).toEqual([])
  })
})

/** A server with exactly this card and these answers. */
async function serveRaw(
  card: unknown,
  answer: (response: ServerResponse, body: { id: number; method: string }) => void,
) {
  const base = await serve(async (request, response) => {
    if (request.method === 'POST') return answer(response, JSON.parse(await bodyOf(request)))
    const text = typeof card === 'function' ? JSON.stringify(card(base)) : JSON.stringify(card)
    response.setHeader('content-type', 'application/json').end(text)
  })
  return base
}

const rawCard = (streaming: boolean) => (base: string) => ({
  protocolVersion: '0.3.0',
  ...{ name: 'raw', description: 'd', version: '1', url: base, preferredTransport: 'JSONRPC' },
  ...{ capabilities: { streaming }, defaultInputModes: [], defaultOutputModes: [], skills: [{ nonsense: 1 }, 7] },
})

function json(response: ServerResponse, value: unknown): void {
  response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

test('a card of an older version with missing or invalid parts is accepted', async () => {
  const old = (base: string) => ({
    ...rawCard(false)(base),
    protocolVersion: '0.2.0',
    capabilities: 'none',
    skills: [{ id: 's' }],
  })
  const url = await serveRaw(old, (response, { id, method }) => {
    const message = { kind: 'message', messageId: 'm', role: 'agent', parts: [{ kind: 'text', text: method }] }
    json(response, { jsonrpc: '2.0', id, result: message })
  })
  const connection = await connectRemoteAgent({ url }, never)
  expect(connection.skills).toEqual([{ id: 's' }])
  expect(await connection.send({ text: 'hi' }, never)).toEqual({ content: 'message/send', isError: false })
})

test('each run reads the card again; a missing card stops the run', async () => {
  let cards = 0
  const card = (base: string) => ({ ...rawCard(false)(base), description: `card ${++cards}` })
  const url = await serveRaw(
    (base: string) => (cards === 2 ? {} : card(base)),
    () => {},
  )
  const runtime = createRuntime({
    env: {},
    models: scripts({ m: [{ text: 'ok' }, { text: 'ok' }] }),
    remoteAgents: { far: { url } },
  })
  const agent = react('m', { action_space: { remote_agents: [{ alias: 'far' }] } })
  const go = () => runtime.run(agent, 'go')
  expect([(await go()).ok, (await go()).ok, cards]).toEqual([true, true, 2])
  const message = 'm: remote agent far is unreachable: the agent card has no agent URL'
  expect(await go()).toMatchObject({ error: { code: 'unmapped_server', message } })
  await runtime.close()
})

describe('an agent that cannot be connected to', () => {
  const interfaces = (url: string) => ({
    name: 'n',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  })
  test.each([
    ['card is null', null, /not a JSON object/],
    ['card is empty', {}, /has no agent URL/],
    [
      'card has no transport that we know',
      { supportedInterfaces: [{ url: 'http://localhost', protocolBinding: 7 }] },
      /has no agent URL/,
    ],
    [
      'card has the URL of another host',
      interfaces('http://example.org/rpc'),
      /no URL on the bound host http:\/\/127.0.0.1:\d+/,
    ],
    ['card has the URL of another port', interfaces('http://127.0.0.1:22/rpc'), /no URL on/],
  ])('%s', async (_, card, message) => {
    const url = await serveRaw(card, () => {})
    await expect(connectRemoteAgent({ url }, never)).rejects.toThrow(message)
  })

  test('no server', async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    await expect(connectRemoteAgent({ url }, never)).rejects.toThrow(/ECONNREFUSED/)
  })

  test('a missing or unreadable card', async () => {
    const none = await serve((_, response) => response.writeHead(404).end())
    await expect(connectRemoteAgent({ url: none }, never)).rejects.toThrow(/404/)
    const page = await serve((_, response) => response.end('<html>'))
    await expect(connectRemoteAgent({ url: page }, never)).rejects.toThrow(/JSON/)
    const moved = await serve((_, response) => response.writeHead(302, { location: 'http://example.org' }).end())
    await expect(connectRemoteAgent({ url: moved }, never)).rejects.toThrow(/302/)
  })

  test('an aborted signal', async () => {
    const url = await serve(() => {})
    const stop = new AbortController()
    const connecting = connectRemoteAgent({ url }, stop.signal)
    stop.abort(new Error('enough'))
    await expect(connecting).rejects.toThrow('enough')
  })
})

test('another name of the same host is accepted, and the URL may be that of the card', async () => {
  const { url } = await serveAgent(serve, script)
  const byName = url.replace('127.0.0.1', 'localhost')
  const connection = await connectRemoteAgent({ url: `${byName}/.well-known/agent-card.json` }, never)
  expect(await connection.send({ text: 'greet' }, never)).toEqual({ content: 'hello', isError: false })
})

describe('an agent that breaks the protocol', () => {
  const event = (response: ServerResponse, ...events: unknown[]) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const one of events) response.write(`data: ${JSON.stringify(one)}\n\n`)
    return response
  }
  const working = { kind: 'task', id: 't', contextId: 'c', status: { state: 'working' } }
  const cases: readonly [string, boolean, (response: ServerResponse, body: { id: number }) => void, RegExp][] = [
    [
      'nonsense',
      false,
      (response, { id }) => json(response, { jsonrpc: '2.0', id, result: { nonsense: true } }),
      /kind/,
    ],
    ['no result', false, (response, { id }) => json(response, { jsonrpc: '2.0', id }), /./],
    [
      'another id',
      false,
      (response, { id }) => json(response, { jsonrpc: '2.0', id: id + 1, result: {} }),
      /ID mismatch/,
    ],
    [
      'an error',
      false,
      (response, { id }) => json(response, { jsonrpc: '2.0', id, error: { code: -1, message: 'go away' } }),
      /go away/,
    ],
    ['HTTP 500', false, (response) => response.writeHead(500).end('broken'), /500.*broken/],
    ['a broken line', false, (response) => void response.destroy(), /./],
    [
      'a task without a status',
      false,
      (response, { id }) => json(response, { jsonrpc: '2.0', id, result: { kind: 'task', id: 't', contextId: 'c' } }),
      /./,
    ],
    [
      'an error in its stream',
      true,
      (response, { id }) => event(response, { jsonrpc: '2.0', id, error: { code: -1, message: 'go away' } }).end(),
      /go away/,
    ],
    [
      'a line that breaks in the middle',
      false,
      (response) => response.writeHead(200, { 'content-length': 99 }).write('{', () => response.destroy()),
      /./,
    ],
    [
      'a state that does not exist',
      false,
      (response, { id }) => json(response, { jsonrpc: '2.0', id, result: { ...working, status: { state: 'bogus' } } }),
      /sent no response/,
    ],
    ['an empty stream', true, (response) => event(response).end(), /sent no response/],
    [
      'a bad event',
      true,
      (response, { id }) => event(response, { jsonrpc: '2.0', id, result: { hello: 1 } }).end(),
      /./,
    ],
    ['no JSON in its stream', true, (response) => event(response).end('data: {\n\n'), /parse/],
  ]

  /** These are not answers, or are answers that say what is wrong. */
  const taken = ['an error', 'an error in its stream', 'HTTP 500', 'a broken line', 'a line that breaks in the middle']

  test.each(cases)('with %s', async (name, streaming, answer, message) => {
    const url = await serveRaw(rawCard(streaming), answer)
    const connection = await connectRemoteAgent({ url }, never)
    expect(connection.skills).toEqual([])
    const sending = connection.send({ text: 'hi' }, never)
    if (!taken.includes(name)) {
      const operation = streaming ? 'message/stream' : 'message/send'
      const refusal = { name: 'RefusedAnswer', operation, message: expect.stringMatching(message) }
      return expect(sending).rejects.toMatchObject(refusal)
    }
    expect(await sending).toMatchObject({ isError: true, content: expect.stringMatching(message) })
  })

  test('with an oversized answer', async () => {
    const part = { kind: 'text', text: 'x'.repeat(1024 * 1024) }
    const url = await serveRaw(rawCard(true), (response, { id }) => {
      const update = {
        kind: 'artifact-update',
        taskId: 't',
        contextId: 'c',
        append: true,
        artifact: { artifactId: 'a', parts: [part] },
      }
      const line = `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: update })}\n\n`
      const more = () => {
        if (!response.destroyed) response.write(line, () => setImmediate(more))
      }
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      more()
    })
    const connection = await connectRemoteAgent({ url }, never)
    const refusal = { name: 'RefusedAnswer', message: expect.stringContaining('larger than') }
    await expect(connection.send({ text: 'hi' }, never)).rejects.toMatchObject(refusal)
  })

  test('without an answer: the timeout or the signal ends the message and cancels the task', async () => {
    const methods: string[] = []
    const closed = vi.fn()
    const url = await serveRaw(rawCard(true), (response, { id, method }) => {
      methods.push(method)
      if (method !== 'message/stream') return json(response, { jsonrpc: '2.0', id, result: working })
      response.on('close', closed)
      event(response, { jsonrpc: '2.0', id, result: working })
    })
    const slow = await connectRemoteAgent({ url, timeoutMs: 300 }, never)
    expect(await slow.send({ text: 'hi' }, never)).toEqual({ content: 'no answer within 0.3 seconds', isError: true })
    await vi.waitFor(() => expect(methods).toEqual(['message/stream', 'tasks/cancel']))
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(1))

    const stop = new AbortController()
    const sending = (await connectRemoteAgent({ url }, never)).send({ text: 'hi' }, stop.signal)
    await vi.waitFor(() => expect(methods).toHaveLength(3))
    stop.abort(new Error('the run is over'))
    await expect(sending).rejects.toThrow('the run is over')
    await vi.waitFor(() => expect(closed).toHaveBeenCalledTimes(2))
  })
})

test('an unfinished task is polled until it is complete', async () => {
  const methods: string[] = []
  const url = await serveRaw(rawCard(false), (response, { id, method }) => {
    methods.push(method)
    const state = methods.length < 3 ? 'working' : 'completed'
    const artifacts = [{ artifactId: 'a', parts: [{ kind: 'text', text: 'done' }] }]
    json(response, {
      jsonrpc: '2.0',
      id,
      result: { kind: 'task', id: 't', contextId: 'c', status: { state }, artifacts },
    })
  })
  const connection = await connectRemoteAgent({ url }, never)
  expect(await connection.send({ text: 'hi' }, never)).toEqual({ content: 'done', isError: false })
  expect(methods).toEqual(['message/send', 'tasks/get', 'tasks/get'])
})

test('HTTP+JSON is supported as well', async () => {
  const card = (url: string) => ({
    supportedInterfaces: [{ url, protocolBinding: 'HTTP+JSON', protocolVersion: '1.0' }],
  })
  const message = { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'hello' }] }
  const url = await serveRaw(card, (response) => json(response, { message }))
  const connection = await connectRemoteAgent({ url }, never)
  expect(await connection.send({ text: 'hi' }, never)).toEqual({ content: 'hello', isError: false })
})

test('a closed connection sends nothing, and secrets are redacted', async () => {
  const url = await serveRaw(rawCard(false), (response) => response.writeHead(500).end('bad key k3y-0123'))
  const connection = await connectRemoteAgent({ url, headers: { 'x-key': 'k3y-0123' } }, never)
  const observation = await connection.send({ text: 'hi' }, never)
  expect(observation.content).toContain('bad key [hidden]')
  await connection.close()
  expect(connection.isOpen?.()).toBe(false)
  expect(await connection.send({ text: 'hi' }, never)).toEqual({ content: 'the connection was closed', isError: true })
})
