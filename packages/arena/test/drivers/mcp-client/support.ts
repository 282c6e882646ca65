/** MCP servers in memory for the client driver: one over lines, one over HTTP, both under the control of the test. */
import type { Extractor } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { Driver, DriverContext } from '../../../src/drivers/driver.ts'
import { createMcpClientDriver } from '../../../src/drivers/mcp-client/driver.ts'
import type { HttpListening, HttpReply } from '../../../src/model/http.ts'
import type { Pipe } from '../../../src/model/wiring.ts'
import { writeEvent } from '../../../src/transport/event-stream.ts'
import { createMemoryHttp } from '../../../src/transport/memory-http.ts'
import { createMemoryPipe } from '../../../src/transport/memory-pipe.ts'
import { createFakeClock, type FakeClock, settle } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage, type FakeStage } from '../../support/fake-stage.ts'

/** A JSON-RPC message as the peer sees it. */
export interface Wire {
  readonly jsonrpc?: string
  readonly id?: number
  readonly method?: string
  // Loosely typed: the tests check what is inside.
  readonly params?: Value
  readonly result?: Value
  readonly error?: Value
}

export interface Rig {
  readonly driver: Driver
  readonly stage: FakeStage
  readonly clock: FakeClock
  readonly run: AbortController
  /** Performs the actions of the phase, with a signal that does not fire by itself. */
  perform(signal?: AbortSignal): Promise<void>
}

function createRig(
  state: Value,
  make: (context: DriverContext) => Driver,
  extractors: readonly Extractor[],
  limits: Partial<DriverContext['limits']>,
): Rig {
  const stage = createFakeStage('mcp_client', state, extractors)
  const clock = createFakeClock()
  const run = new AbortController()
  const all = { replyMs: 30_000, messageBytes: 1024 * 1024, retries: 2, ...limits }
  const driver = make(contextOf(stage, clock, { signal: run.signal, limits: all }))
  return {
    driver,
    stage,
    clock,
    run,
    perform: (signal = new AbortController().signal) => driver.perform?.(stage.scene(), signal) ?? Promise.resolve(),
  }
}

export const welcome = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'peer', version: '1' },
}

export interface PipeRig extends Rig {
  readonly peer: Pipe
  /** The next message from the driver. */
  hear(): Promise<Wire>
  say(message: unknown): Promise<void>
  /** Goes through the handshake; returns the first message. */
  performHandshake(): Promise<Wire>
}

/** A driver and its peer, connected by lines. */
export function overPipe(
  state: Value,
  extractors: readonly Extractor[] = [],
  limits: Partial<DriverContext['limits']> = {},
): PipeRig {
  const [ours, peer] = createMemoryPipe(limits.messageBytes)
  const rig = createRig(
    state,
    (context) => createMcpClientDriver(context, { kind: 'pipe', open: async () => ours }),
    extractors,
    limits,
  )
  const lines = peer.lines[Symbol.asyncIterator]()
  const hear = async (): Promise<Wire> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('the driver is gone')
    return JSON.parse(value.text)
  }
  const say = (message: unknown) => peer.send(typeof message === 'string' ? message : JSON.stringify(message))
  const performHandshake = async () => {
    const opened = rig.driver.open()
    const hello = await hear()
    await say({ jsonrpc: '2.0', id: hello.id, result: welcome })
    await opened
    await hear()
    return hello
  }
  return { ...rig, peer, hear, say, performHandshake }
}

/** A request as the peer gets it. */
export interface Call {
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly message: Wire
}

/** Answers one call; undefined leaves the answer to an honest server. */
export type Serve = (call: Call, reply: HttpReply) => Promise<void> | undefined

export interface HttpRig extends Rig {
  readonly calls: Call[]
  /** Stops listening. */
  vanish(): Promise<void>
}

/** A driver and a server that is honest unless the test says otherwise. */
export async function overHttp(
  state: Value,
  serve: Serve = () => undefined,
  extractors: readonly Extractor[] = [],
  limits: Partial<DriverContext['limits']> = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<HttpRig> {
  const network = createMemoryHttp()
  const calls: Call[] = []
  const listening: HttpListening = await network.listen(async ({ method, headers, body }, reply) => {
    const text = new TextDecoder().decode(body)
    const call = { method, headers, message: text === '' ? {} : JSON.parse(text) }
    calls.push(call)
    await (serve(call, reply) ?? serveHonestly(call, reply))
  })
  const end = { kind: 'http', url: `${listening.origin}/mcp`, headers, send: network.send } as const
  const rig = createRig(state, (context) => createMcpClientDriver(context, end), extractors, limits)
  return { ...rig, calls, vanish: () => listening.close() }
}

async function serveHonestly({ method, message }: Call, reply: HttpReply): Promise<void> {
  if (method === 'GET') {
    reply.head(405)
    return reply.end()
  }
  if (method === 'DELETE') {
    reply.head(200)
    return reply.end()
  }
  if (message.id === undefined || message.method === undefined) {
    reply.head(202)
    return reply.end()
  }
  const isHello = message.method === 'initialize'
  await replyJson(reply, message.id, isHello ? welcome : {}, isHello ? { 'mcp-session-id': 's-1' } : {})
}

/** Answers with a JSON result. */
export function replyJson(
  reply: HttpReply,
  id: number | undefined,
  result: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  reply.head(200, { 'content-type': 'application/json', ...headers })
  return reply.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
}

/** Begins a stream; returns a function that sends a message on it. */
export function beginStream(reply: HttpReply): (message: unknown, id?: string) => Promise<void> {
  reply.head(200, { 'content-type': 'text/event-stream' })
  return (message, id) =>
    reply.write(writeEvent({ data: JSON.stringify(message), ...(id === undefined ? {} : { id }) }))
}

/** The recorded messages, with only the fields that tests ask about. */
export function traced({ stage }: Rig): string[] {
  return stage.messages.map(
    ({ flow, direction, surface, content, malformed }) =>
      `${flow} ${direction} ${surface} ${malformed === undefined ? JSON.stringify(content) : 'malformed'}`,
  )
}

export function codes({ stage }: Rig): string[] {
  return stage.reports.map(({ code }) => code)
}

export { settle }
