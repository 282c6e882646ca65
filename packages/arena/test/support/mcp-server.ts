/** An `mcp_server` driver with a client in the same process: every status, header and message can be inspected. */
import type { Extractor } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { Driver, DriverContext } from '../../src/drivers/driver.ts'
import { createMcpServerDriver } from '../../src/drivers/mcp-server/driver.ts'
import { readEventStream, type StreamItem } from '../../src/transport/event-stream.ts'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'
import { createFakeClock, type FakeClock, settle } from './fake-clock.ts'
import { contextOf, createFakeStage, type FakeStage } from './fake-stage.ts'

/** An answer, read as far as it has arrived. */
interface Seen {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body of an answer that is not a stream. */
  text(): Promise<string>
  /** The messages that have arrived: those of a stream, or the only one. */
  readonly messages: Value[]
  /** The events of a stream as they arrived, including those without a message. */
  readonly events: StreamItem[]
  /** Whether the body has ended. */
  readonly ended: () => boolean
  /** Breaks off the connection. */
  leave(): void
}

export interface TestServer {
  readonly stage: FakeStage
  readonly clock: FakeClock
  readonly driver: Driver
  call(method: string, headers?: Record<string, string>, body?: string, path?: string): Promise<Seen>
  post(message: unknown, headers?: Record<string, string>): Promise<Seen>
  listen(headers?: Record<string, string>): Promise<Seen>
  /** Opens a session; returns the headers for its requests. */
  initialize(version?: string, capabilities?: Value): Promise<Record<string, string>>
  /** The result of a request, or its error, without a session. */
  ask(method: string, params?: Value): Promise<Value>
}

export const BOTH = { accept: 'application/json, text/event-stream' }

/** Opens a server with a state. */
export async function openServer(
  state: Value,
  extractors: readonly Extractor[] = [],
  changes: Partial<DriverContext> = {},
): Promise<TestServer> {
  const network = createMemoryHttp(100_000)
  const stage = createFakeStage('mcp_server', state, extractors)
  const clock = createFakeClock()
  const driver = createMcpServerDriver(contextOf(stage, clock, changes), { kind: 'http', listen: network.listen })
  await driver.open()
  const call: TestServer['call'] = async (method, headers = {}, body = undefined, path = '/mcp') => {
    const leaving = new AbortController()
    const {
      status,
      headers: answered,
      body: bytes,
    } = await network.send({
      method,
      url: `${network.origin}${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: leaving.signal,
    })
    const isStream = answered['content-type'] === 'text/event-stream'
    return {
      status,
      headers: answered,
      leave: () => leaving.abort(),
      ...(isStream ? readStream(bytes) : await readText(bytes)),
    }
  }
  const post: TestServer['post'] = (message, headers = {}) =>
    call('POST', { 'content-type': 'application/json', ...BOTH, ...headers }, JSON.stringify(message))
  return {
    stage,
    clock,
    driver,
    call,
    post,
    listen: (headers = {}) => call('GET', { accept: 'text/event-stream', ...headers }),
    async initialize(version = '2025-06-18', capabilities = { elicitation: {}, sampling: {}, roots: {} }) {
      const params = { protocolVersion: version, capabilities, clientInfo: { name: 'c', version: '1' } }
      const { headers } = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params })
      return { 'mcp-session-id': headers['mcp-session-id'] ?? '' }
    },
    async ask(method, params) {
      const { messages } = await post({ jsonrpc: '2.0', id: 1, method, ...(params === undefined ? {} : { params }) })
      // The server sends a message, or the test fails on what it looks for.
      const { result, error } = messages.at(-1) as { readonly result?: Value; readonly error?: Value }
      return result ?? error ?? null
    },
  }
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<Omit<Seen, 'status' | 'headers' | 'leave'>> {
  let text = ''
  for await (const chunk of body) text += new TextDecoder().decode(chunk)
  return {
    text: async () => text,
    messages: text.startsWith('{') ? [JSON.parse(text)] : [],
    events: [],
    ended: () => true,
  }
}

function readStream(body: AsyncIterable<Uint8Array>): Omit<Seen, 'status' | 'headers' | 'leave'> {
  const events: StreamItem[] = []
  const messages: Value[] = []
  let ended = false
  const read = async () => {
    for await (const item of readEventStream(body, 1_000_000)) {
      events.push(item)
      if (item.data !== '') messages.push(JSON.parse(item.data))
    }
  }
  const over = read()
    .catch(() => {})
    .then(() => {
      ended = true
    })
  return { events, messages, ended: () => ended, text: () => over.then(() => '') }
}

export { settle }
