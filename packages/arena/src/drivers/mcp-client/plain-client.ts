/**
 * A plain MCP connection that only sends requests. Nothing is validated: a list with invalid schemas is still a list.
 */
import { createBoundedBytes, systemClock, within } from '@joust/io'
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import { err, isRecord, joustVersion, messageOf, ok, ownText, type Result, type Value } from '@joust/source'
import { isSuccess } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import { spawnPipe } from '../../transport/child-process.ts'
import { isEventStream, readEventStream } from '../../transport/event-stream.ts'
import { createHttpSend } from '../../transport/http-client.ts'
import {
  failure,
  type JsonRpcMessage,
  jsonRpcCodes,
  messagesOf,
  readMessage,
  writeAnswer,
  writeNotification,
  writeRequest,
} from '../json-rpc.ts'
import { META, MODERN_VERSION, SESSION_HEADER } from '../mcp/protocol.ts'
import { modernHeaders } from './modern.ts'

/** A server: a command or an address. */
export interface PlainAddress {
  readonly command?: readonly string[]
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** Options of `connectPlainly`. */
export interface PlainClientOptions {
  readonly signal: AbortSignal
  /**
   * Timeout of a request, in milliseconds.
   * @default 10000
   */
  readonly answerMs?: number
  /**
   * The capabilities of the client.
   * @default {}
   */
  readonly capabilities?: Value
}

/** An open connection. */
export interface PlainConnection {
  /**
   * The handshake or, with servers that have none since MCP 2026-07-28, their description of themselves. Returns the
   * result, with `protocolVersion`.
   */
  greet(): Promise<Result<Value, string>>
  /** Sends a request; the error is the reason for a missing result. Never rejects. */
  request(method: string, params: Value): Promise<Result<Value, string>>
  notify(method: string): Promise<void>
  /** The number of times that the server has said that its tools have changed. */
  changes(): number
  close(): Promise<void>
}

/** Opens a connection; rejects if the command cannot be started. */
export async function connectPlainly(server: PlainAddress, options: PlainClientOptions): Promise<PlainConnection> {
  const channel = await (server.url === undefined
    ? connectPipe(server, options)
    : connectHttp(server, server.url, options))
  return { ...channel, greet: () => greet(channel, options) }
}

interface Channel extends Omit<PlainConnection, 'greet'> {
  /** Sends later requests as the version requires. */
  agree(version: string): void
  /** True once the server has answered a request, even with an error. */
  hasAnswered(): boolean
}

async function greet(channel: Channel, { capabilities = {} }: PlainClientOptions): Promise<Result<Value, string>> {
  const hello = await channel.request('initialize', {
    protocolVersion: DEFAULT_MCP_VERSION,
    capabilities,
    clientInfo: { name: 'joust', version: joustVersion },
  })
  if (hello.ok) {
    const version = ownText(hello.value, 'protocolVersion')
    if (version !== undefined) channel.agree(version)
    await channel.notify('notifications/initialized')
    return hello
  }
  if (!channel.hasAnswered()) return hello
  channel.agree(MODERN_VERSION)
  const self = await channel.request('server/discover', {})
  return self.ok && isRecord(self.value) ? ok({ ...self.value, protocolVersion: MODERN_VERSION }) : hello
}

const ANSWER_MS = 10_000

async function connectPipe(server: PlainAddress, options: PlainClientOptions): Promise<Channel> {
  const { command = [], env, cwd } = server
  const [program = '', ...args] = command
  const open = spawnPipe({
    command: program,
    args,
    maxLineBytes: defaultRunLimits.messageBytes,
    ...(env && { env }),
    ...(cwd && { cwd }),
  })
  const pipe = await open()
  const waiting = new Map<number, (answer: Result<Value, string>) => void>()
  const inbox = createHearing()
  let next = 1
  let version: string | undefined
  const read = async () => {
    for await (const { text, fault } of pipe.lines) {
      for (const message of messagesOf(readMessage(text, defaultRunLimits.messageBytes, fault))) {
        inbox.take(message)
        if (message.kind === 'request') await pipe.send(refusal(message.id))
        const id = message.kind === 'response' && typeof message.id === 'number' ? message.id : 0
        waiting.get(id)?.(resultOf(message))
        waiting.delete(id)
      }
    }
  }
  const reader = read()
    .catch(() => undefined)
    .then(() => {
      for (const settle of waiting.values())
        settle(err(`the server disconnected: ${pipe.ending() ?? 'its output ended'}`))
      waiting.clear()
    })
  let isOver = false
  void reader.then(() => (isOver = true))
  return {
    async request(method, params) {
      if (isOver) return err(`the server disconnected: ${pipe.ending() ?? 'its output ended'}`)
      const id = next++
      const answer = new Promise<Result<Value, string>>((resolve) => waiting.set(id, resolve))
      await pipe.send(writeRequest(id, method, shaped(params, options.capabilities, version))).catch(() => undefined)
      return timed(answer, method, options)
    },
    notify: (method) => pipe.send(writeNotification(method)).catch(() => undefined),
    agree(agreed) {
      version = agreed
    },
    hasAnswered: inbox.hasAnswered,
    changes: inbox.changes,
    close: () => pipe.close(),
  }
}

/** Counts messages of the server. */
function createHearing() {
  let [answers, changes] = [0, 0]
  return {
    take(message: JsonRpcMessage): void {
      if (message.kind === 'response') answers++
      if (message.kind === 'notification' && message.method === 'notifications/tools/list_changed') changes++
    },
    hasAnswered: () => answers > 0,
    changes: () => changes,
  }
}

/** Since MCP 2026-07-28, every request identifies the client. */
function shaped(params: Value, capabilities: Value = {}, version?: string): Value {
  if (version !== MODERN_VERSION || !isRecord(params)) return params
  const _meta = {
    [`${META}protocolVersion`]: MODERN_VERSION,
    [`${META}clientInfo`]: { name: 'joust', version: joustVersion },
    [`${META}clientCapabilities`]: capabilities,
  }
  return { ...params, _meta }
}

type HttpAnswer = Awaited<ReturnType<ReturnType<typeof createHttpSend>>>

async function connectHttp(server: PlainAddress, url: string, options: PlainClientOptions): Promise<Channel> {
  const http = createPost(server, url, options)
  const inbox = createHearing()
  let hasStatus = false
  let next = 1
  const ask = async (id: number, method: string, params: Value): Promise<Result<Value, string>> => {
    const answer = await http.post(id, method, params)
    hasStatus = true
    if (!isSuccess(answer.status)) return err(`the server answered with HTTP status ${answer.status}`)
    for await (const text of textsOf(answer))
      for (const message of messagesOf(readMessage(text, defaultRunLimits.messageBytes))) {
        inbox.take(message)
        if (message.kind === 'response' && message.id === id) return resultOf(message)
      }
    return err('the server ended its answer without a response')
  }
  const failed = (thrown: unknown) => err(messageOf(thrown))
  return {
    request: (method, params) => timed(ask(next++, method, params).catch(failed), method, options),
    async notify(method) {
      const sent = http.post(undefined, method, {}).then(() => ok(null), failed)
      await timed(sent, method, options)
    },
    agree: http.agree,
    hasAnswered: () => hasStatus,
    changes: inbox.changes,
    async close() {
      const ended = http.end().then(() => ok(null), failed)
      await timed(ended, 'DELETE', { ...options, answerMs: CLOSE_MS })
      http.stop()
    },
  }
}

const CLOSE_MS = 1_000

/** Requests of one HTTP session. */
function createPost(server: PlainAddress, url: string, { signal, capabilities }: PlainClientOptions) {
  const send = createHttpSend()
  const stop = new AbortController()
  const ending = AbortSignal.any([signal, stop.signal])
  const state: { session?: string; version?: string } = {}
  const headers = () => ({
    ...server.headers,
    ...(state.session && { [SESSION_HEADER]: state.session }),
    ...(state.version && { 'mcp-protocol-version': state.version }),
  })
  return {
    /** Sends a request, or a notification without an id. */
    async post(id: number | undefined, method: string, params: Value): Promise<HttpAnswer> {
      const kinds = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const names = state.version === MODERN_VERSION ? modernHeaders(method, params) : {}
      const body =
        id === undefined
          ? writeNotification(method)
          : writeRequest(id, method, shaped(params, capabilities, state.version))
      const all = { ...kinds, ...headers(), ...names }
      const answer = await send({ method: 'POST', url, headers: all, body, signal: ending })
      const session = answer.headers[SESSION_HEADER]
      if (session !== undefined) state.session = session
      return answer
    },
    agree(version: string): void {
      state.version = version
    },
    async end(): Promise<void> {
      if (state.session !== undefined) await send({ method: 'DELETE', url, headers: headers(), signal: ending })
    },
    stop: () => stop.abort(),
  }
}

async function* textsOf(answer: HttpAnswer): AsyncGenerator<string> {
  if (isEventStream(answer)) {
    for await (const { data } of readEventStream(answer.body, defaultRunLimits.messageBytes))
      if (data !== '') yield data
    return
  }
  const bytes = createBoundedBytes(defaultRunLimits.messageBytes)
  for await (const chunk of answer.body) bytes.add(chunk)
  yield new TextDecoder().decode(bytes.bytes())
}

function resultOf(message: JsonRpcMessage): Result<Value, string> {
  if (message.kind === 'malformed') return err(message.reason)
  if (message.kind !== 'response') return err('not a response')
  return message.failed
    ? err(ownText(message.content, 'message') ?? 'the server answered with an error')
    : ok(message.content)
}

/** Sampling, roots and elicitation are refused. */
function refusal(id: Value): string {
  return writeAnswer(id, failure(jsonRpcCodes.methodNotFound, 'not supported'))
}

function timed(
  work: Promise<Result<Value, string>>,
  method: string,
  { signal, answerMs = ANSWER_MS }: PlainClientOptions,
) {
  return within(systemClock, answerMs, work, signal, () =>
    err(signal.aborted ? 'interrupted' : `no answer to ${method} within ${answerMs / 1000} seconds`),
  )
}
