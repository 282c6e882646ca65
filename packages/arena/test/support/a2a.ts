/** Both A2A drivers in memory, with the test's own stage and clock. */
import type { Value } from '@joust/source'
import { expect } from 'vitest'
import { createA2aClientDriver } from '../../src/drivers/a2a-client/driver.ts'
import { createA2aServerDriver } from '../../src/drivers/a2a-server/driver.ts'
import type { DriverContext } from '../../src/drivers/driver.ts'
import type { HttpHandler, HttpReply, HttpRequest } from '../../src/model/http.ts'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'
import { textOf } from './body.ts'
import { createFakeClock } from './fake-clock.ts'
import { contextOf, createFakeStage } from './fake-stage.ts'

const never = new AbortController().signal

/** The JSON of every event in the text of a stream. */
function dataOf(text: string): unknown[] {
  expect(text.endsWith('\n\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n\n')
    .map((event) => JSON.parse(event.replace(/^data: /, '')))
}

/** An agent played by the driver, and ways to ask it. */
export async function openServer(state: Value, changes: Partial<DriverContext> = {}, maxBodyBytes?: number) {
  const stage = createFakeStage('a2a_server', state)
  const clock = createFakeClock()
  const net = createMemoryHttp(maxBodyBytes)
  const context = contextOf(stage, clock, { outbound: net.send, ...changes })
  const driver = createA2aServerDriver(context, { kind: 'http', listen: net.listen })
  await driver.open()
  const ask = async (method: string, path: string, body?: string) => {
    const call = { method, url: `${net.origin}${path}`, signal: never, ...(body === undefined ? {} : { body }) }
    const answer = await net.send(call)
    const text = await textOf(answer)
    // The trigger counts an event once its answer is out, slightly later than the answer is read here.
    await new Promise((resolve) => setImmediate(resolve))
    return { status: answer.status, headers: answer.headers, text }
  }
  const post = (body: string) => ask('POST', '/', body)
  const rpc = (method: string, params?: unknown) => post(JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }))
  return {
    ...{ stage, clock, net, driver, context, ask, post },
    /** The body of the answer to a method. */
    call: async (method: string, params?: unknown) => JSON.parse((await rpc(method, params)).text),
    /** The items of the stream that answers a method. */
    stream: async (method: string, params?: unknown) => {
      const { headers, text } = await rpc(method, params)
      expect(headers['content-type']).toBe('text/event-stream')
      return dataOf(text)
    },
  }
}

/** A message from a user. */
export function say(text: string, more: Readonly<Record<string, unknown>> = {}) {
  return { message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text }], ...more } }
}

/** A request that a test's agent received. */
interface Heard {
  readonly line: string
  readonly headers: Readonly<Record<string, string>>
  /** The body, read as JSON where there is one. */
  readonly body?: unknown
}

/** Answers one request. */
export type Agent = (request: { id: unknown; method: string; target: string }, reply: HttpReply) => unknown

/** A client played by the driver, and a test's agent for it. */
export async function openClient(
  state: Value,
  agent: Agent,
  { path = '/rpc', ...changes }: Partial<DriverContext> & { readonly path?: string } = {},
) {
  const stage = createFakeStage('a2a_client', state)
  const clock = createFakeClock()
  const net = createMemoryHttp()
  const heard: Heard[] = []
  const handler: HttpHandler = async (request, reply) => {
    const { line, headers, body } = hear(request)
    heard.push({ line, headers, ...(body === undefined ? {} : { body }) })
    await agent({ id: body?.id, method: body?.method ?? '', target: request.target }, reply)
  }
  await net.listen(handler)
  const context = contextOf(stage, clock, changes)
  const headers = { authorization: 'Bearer t' }
  const driver = createA2aClientDriver(context, { kind: 'http', url: `${net.origin}${path}`, headers, send: net.send })
  await driver.open()
  return { stage, clock, net, heard, driver, perform: (signal = never) => driver.perform?.(stage.scene(), signal) }
}

function hear({ method, target, headers, body }: HttpRequest) {
  const text = new TextDecoder().decode(body)
  return { line: `${method} ${target}`, headers, body: text === '' ? undefined : JSON.parse(text) }
}

/** Answers with JSON. */
export async function json(reply: HttpReply, value: unknown, status = 200): Promise<void> {
  reply.head(status, { 'content-type': 'application/json' })
  await reply.end(typeof value === 'string' ? value : JSON.stringify(value))
}

/** Answers with a stream of JSON-RPC results. */
export async function events(reply: HttpReply, id: unknown, results: readonly unknown[]): Promise<void> {
  reply.head(200, { 'content-type': 'text/event-stream; charset=utf-8' })
  for (const result of results) await reply.write(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result })}\n\n`)
  await reply.end()
}
