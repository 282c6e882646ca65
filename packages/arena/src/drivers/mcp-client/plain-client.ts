/**
 * An MCP connection that only sends requests and validates nothing: a list with invalid schemas is still a list. The
 * JSON of params and results can be passed on as written.
 */
import { createBoundedBytes, systemClock, within } from '@joust/io'
import { DEFAULT_MCP_VERSION } from '@joust/oatf'
import {
  defined,
  err,
  isRecord,
  joustVersion,
  memberText,
  messageOf,
  ok,
  ownText,
  parseJson,
  type Result,
  type Value,
  writeJson,
} from '@joust/source'
import { type HttpAnswer, isSuccess } from '../../model/http.ts'
import { defaultRunLimits } from '../../model/limits.ts'
import type { PlainAddress } from '../../model/through.ts'
import { spawnPipe } from '../../transport/child-process.ts'
import { isEventStream, readEventStream } from '../../transport/event-stream.ts'
import { createHttpSend } from '../../transport/http-client.ts'
import {
  type Answered,
  failure,
  type JsonRpcMessage,
  type JsonRpcResponse,
  jsonRpcCodes,
  messagesOf,
  onOneLine,
  readMessage,
  writeAnswer,
  writeNotification,
} from '../json-rpc.ts'
import { META, MODERN_VERSION, SESSION_HEADER, VERSION_HEADER } from '../mcp/protocol.ts'
import { modernHeaders } from './modern.ts'

type ServerMessage = Extract<JsonRpcMessage, { readonly kind: 'request' | 'notification' }>

/** Options for {@link connectPlainly}. */
export interface PlainClientOptions {
  readonly signal: AbortSignal
  /** Time limit for a response, in milliseconds. @default 10000 */
  readonly answerMs?: number
  /** Maximum size of a message in bytes. @default the limit of a run */
  readonly messageBytes?: number
  /** The client capabilities. @default {} */
  readonly capabilities?: Value
  /** Called with the server's messages; resolves to the response to a request. @default requests are refused */
  readonly onMessage?: (message: ServerMessage) => Promise<Answered> | undefined
}

/** A response, and the JSON of its result or error as received. */
interface PlainAnswer extends Pick<JsonRpcResponse, 'failed' | 'content'> {
  readonly json: string
}

/** An open connection. */
export interface PlainConnection {
  /**
   * Performs the handshake. Since MCP 2026-07-28, servers have no handshake, so their description is requested instead.
   * Returns the result, with `protocolVersion`.
   */
  greet(): Promise<Result<Value, string>>
  /** Like `greet`, with the handshake params of another client. */
  greetAs(client: Value): Promise<Result<PlainAnswer, string>>
  /** Sends a request; the error is the reason for a missing result. Never rejects. */
  request(method: string, params: Value): Promise<Result<Value, string>>
  /**
   * Sends a request with params as JSON, unchanged unless the version requires more; the signal cancels the request.
   * Never rejects.
   */
  exchange(method: string, params: string, cancel?: AbortSignal): Promise<Result<PlainAnswer, string>>
  notify(method: string, params?: Value): Promise<void>
  /** Returns the number of announced tool list changes. */
  changes(): number
  close(): Promise<void>
}

/**
 * Opens a connection; rejects if the command cannot be started.
 *
 * @example
 * const connection = await connectPlainly({ url: 'http://127.0.0.1:3000/mcp' }, { signal: AbortSignal.timeout(5000) })
 * await connection.greet()
 * const listed = await connection.request('tools/list', {})
 * await connection.close()
 */
export async function connectPlainly(server: PlainAddress, options: PlainClientOptions): Promise<PlainConnection> {
  const all = { answerMs: ANSWER_MS, messageBytes: defaultRunLimits.messageBytes, ...options }
  const channel = await (server.url === undefined ? connectPipe(server, all) : connectHttp(server, server.url, all))
  const { capabilities = {} } = options
  const client = { protocolVersion: DEFAULT_MCP_VERSION, capabilities, clientInfo: CLIENT_INFO }
  const greetAs = (params: Value) => greet(channel, params)
  return {
    ...channel,
    greetAs,
    greet: () => resultOf(greetAs(client)),
    request: (method, params) => resultOf(channel.exchange(method, writeJson(params))),
  }
}

const ANSWER_MS = 10_000
const CLIENT_INFO: Value = { name: 'joust', version: joustVersion }

type Limited = PlainClientOptions & Required<Pick<PlainClientOptions, 'answerMs' | 'messageBytes'>>

interface Channel extends Omit<PlainConnection, 'greet' | 'greetAs' | 'request'> {
  /** Adapts later requests to the negotiated version. */
  agree(version: string): void
  /** Opens the stream for messages outside requests, if the transport needs one. */
  listen(): void
  /** True once the server has responded, even with an error. */
  hasAnswered(): boolean
}

async function greet(channel: Channel, client: Value): Promise<Result<PlainAnswer, string>> {
  const hello = await channel.exchange('initialize', writeJson(client))
  if (hello.ok && !hello.value.failed) {
    const version = ownText(hello.value.content, 'protocolVersion')
    if (version !== undefined) channel.agree(version)
    await channel.notify('notifications/initialized')
    channel.listen()
    return hello
  }
  if (!channel.hasAnswered()) return hello
  channel.agree(MODERN_VERSION)
  const self = await channel.exchange('server/discover', '{}')
  if (!self.ok || self.value.failed || !isRecord(self.value.content)) return hello
  const content = { ...self.value.content, protocolVersion: MODERN_VERSION }
  return ok({ failed: false, content, json: writeJson(content) })
}

async function connectPipe({ command = [], env, cwd }: PlainAddress, options: Limited): Promise<Channel> {
  const { messageBytes, signal } = options
  const [program = '', ...args] = command
  const pipe = await spawnPipe({ command: program, args, maxLineBytes: messageBytes, ...defined({ env, cwd }) })()
  const waiting = new Map<number, (answer: Result<PlainAnswer, string>) => void>()
  const inbox = createInbox(options, (text) => void pipe.send(text).catch(() => undefined))
  let next = 1
  let version: string | undefined
  const read = async () => {
    for await (const { text, fault, isCut } of pipe.lines) {
      // The request of a truncated response is unknown.
      if (isCut === true) settleAll(TOO_LARGE(messageBytes))
      for (const message of inbox.take(text, fault)) {
        if (message.kind !== 'response' || typeof message.id !== 'number') continue
        waiting.get(message.id)?.(ok(answerOf(message, text)))
        waiting.delete(message.id)
      }
    }
  }
  const settleAll = (reason: string) => {
    for (const settle of waiting.values()) settle(err(reason))
    waiting.clear()
  }
  const lost = () => `the server disconnected: ${pipe.ending() ?? 'its output ended'}`
  let isOver = false
  void read()
    .catch(() => undefined)
    .then(() => {
      isOver = true
      settleAll(lost())
    })
  const notify = (method: string, params?: Value) => pipe.send(writeNotification(method, params)).catch(() => undefined)
  const exchange: Channel['exchange'] = async (method, params, cancel) => {
    if (isOver) return err(lost())
    const id = next++
    const answer = new Promise<Result<PlainAnswer, string>>((resolve) => waiting.set(id, resolve))
    await pipe.send(onOneLine(requestText(id, method, shaped(params, options, version)))).catch(() => undefined)
    const leave = () => {
      waiting.delete(id)
      void notify(CANCELLED, { requestId: id })
    }
    return timed(answer, method, options, { cancel, leave })
  }
  return {
    exchange,
    notify,
    agree(agreed) {
      version = agreed
    },
    listen() {},
    hasAnswered: inbox.hasAnswered,
    changes: inbox.changes,
    async close() {
      if (!signal.aborted) settleAll('the connection was closed')
      await pipe.close()
    },
  }
}

const CANCELLED = 'notifications/cancelled'
const TOO_LARGE = (bytes: number) => `the response is longer than ${bytes} bytes`

function createInbox({ messageBytes, onMessage }: Limited, reply: (text: string) => void) {
  let [answers, changes] = [0, 0]
  const hear = (message: ServerMessage) => {
    if (message.method === 'notifications/tools/list_changed') changes++
    if (message.kind === 'notification') return void onMessage?.(message)
    const answer = message.method === 'ping' ? Promise.resolve({ result: {} }) : onMessage?.(message)
    const refused = failure(jsonRpcCodes.methodNotFound, 'not supported')
    void (answer ?? Promise.resolve(refused))
      .catch(() => refused)
      .then((answered) => reply(writeAnswer(message.id, answered)))
  }
  return {
    take(text: string, fault?: string): readonly JsonRpcMessage[] {
      const messages = messagesOf(readMessage(text, messageBytes, fault))
      for (const message of messages) {
        if (message.kind === 'response') answers++
        else if (message.kind !== 'malformed') hear(message)
      }
      return messages
    },
    hasAnswered: () => answers > 0,
    changes: () => changes,
  }
}

function requestText(id: number, method: string, params: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":${JSON.stringify(method)},"params":${params}}`
}

/** Since MCP 2026-07-28, every request identifies the client. */
function shaped(params: string, { capabilities = {} }: Limited, version: string | undefined): string {
  const value = version === MODERN_VERSION ? parseJson(params) : undefined
  if (!isRecord(value) || ownText(value._meta, `${META}protocolVersion`) === MODERN_VERSION) return params
  const _meta = {
    ...(isRecord(value._meta) && value._meta),
    [`${META}protocolVersion`]: MODERN_VERSION,
    [`${META}clientInfo`]: CLIENT_INFO,
    [`${META}clientCapabilities`]: capabilities,
  }
  return writeJson({ ...value, _meta })
}

async function connectHttp(server: PlainAddress, url: string, options: Limited): Promise<Channel> {
  const http = createPost(server, url, options.signal)
  const failed = (thrown: unknown) => err(messageOf(thrown))
  const send = (text: string) => http.post(text).then(drain, failed)
  const inbox = createInbox(options, (text) => void send(text))
  let hasStatus = false
  let next = 1
  const ask = async (
    id: number,
    method: string,
    params: string,
    cancel: AbortSignal,
  ): Promise<Result<PlainAnswer, string>> => {
    const sent = shaped(params, options, http.version())
    const names = http.version() === MODERN_VERSION ? modernHeaders(method, parseJson(sent) ?? {}) : {}
    const answer = await http.post(requestText(id, method, sent), names, cancel)
    hasStatus = true
    for await (const text of textsOf(answer, options.messageBytes)) {
      const match = inbox.take(text).find((message) => message.kind === 'response' && message.id === id)
      if (match?.kind === 'response') return ok(answerOf(match, text))
    }
    if (!isSuccess(answer.status)) return err(`the server answered with HTTP status ${answer.status}`)
    return err('the server ended its stream without a response')
  }
  const notify = async (method: string, params: Value = {}) => {
    await timed(send(writeNotification(method, params)), method, options)
  }
  const exchange: Channel['exchange'] = (method, params, cancel) => {
    const id = next++
    const stop = new AbortController()
    const leave = () => {
      // Since MCP 2026-07-28, closing the connection cancels a request.
      if (http.version() !== MODERN_VERSION) void notify(CANCELLED, { requestId: id })
      stop.abort()
    }
    return timed(ask(id, method, params, stop.signal).catch(failed), method, options, { cancel, leave })
  }
  return {
    exchange,
    notify,
    agree: http.agree,
    listen() {
      if (options.onMessage !== undefined) void http.listen(options.messageBytes, inbox.take).catch(() => undefined)
    },
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

function createPost(server: PlainAddress, url: string, signal: AbortSignal) {
  const send = createHttpSend()
  const stop = new AbortController()
  const ending = AbortSignal.any([signal, stop.signal])
  const state: { session?: string; version?: string } = {}
  const headers = () => ({
    ...server.headers,
    ...(state.session && { [SESSION_HEADER]: state.session }),
    ...(state.version && { [VERSION_HEADER]: state.version }),
  })
  return {
    version: () => state.version,
    async post(body: string, more: Readonly<Record<string, string>> = {}, cancel?: AbortSignal): Promise<HttpAnswer> {
      const kinds = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const until = cancel === undefined ? ending : AbortSignal.any([ending, cancel])
      const answer = await send({
        method: 'POST',
        url,
        headers: { ...kinds, ...headers(), ...more },
        body,
        signal: until,
      })
      const session = answer.headers[SESSION_HEADER]
      if (session !== undefined) state.session = session
      return answer
    },
    agree(version: string): void {
      state.version = version
    },
    /** Reads messages outside requests, to the end of the stream. */
    async listen(maxBytes: number, take: (text: string) => void): Promise<void> {
      const answer = await send({
        method: 'GET',
        url,
        headers: { accept: 'text/event-stream', ...headers() },
        signal: ending,
      })
      if (!isSuccess(answer.status) || !isEventStream(answer)) return void (await drain(answer))
      for await (const text of textsOf(answer, maxBytes)) take(text)
    },
    async end(): Promise<void> {
      if (state.session !== undefined)
        await drain(await send({ method: 'DELETE', url, headers: headers(), signal: ending }))
    },
    stop: () => stop.abort(),
  }
}

/** Reading to the end frees the connection. */
async function drain({ body }: HttpAnswer): Promise<Result<null, never>> {
  for await (const _ of body);
  return ok(null)
}

async function* textsOf(answer: HttpAnswer, maxBytes: number): AsyncGenerator<string> {
  if (isEventStream(answer)) {
    for await (const { data } of readEventStream(answer.body, maxBytes)) if (data !== '') yield data
    return
  }
  const bytes = createBoundedBytes(maxBytes)
  for await (const chunk of answer.body) if (!bytes.add(chunk)) throw new Error(TOO_LARGE(maxBytes))
  yield new TextDecoder().decode(bytes.bytes())
}

/** A response in a batch is serialized again. */
function answerOf({ failed, content }: JsonRpcResponse, text: string): PlainAnswer {
  return { failed, content, json: memberText(text, failed ? 'error' : 'result') ?? writeJson(content) }
}

async function resultOf(answer: Promise<Result<PlainAnswer, string>>): Promise<Result<Value, string>> {
  const answered = await answer
  if (!answered.ok) return answered
  const { failed, content } = answered.value
  return failed ? err(ownText(content, 'message') ?? 'the server answered with an error') : ok(content)
}

interface Cancellation {
  readonly cancel: AbortSignal | undefined
  /** Called if the response is no longer awaited. */
  readonly leave: () => void
}

async function timed<T>(
  work: Promise<Result<T, string>>,
  method: string,
  { signal, answerMs }: Pick<Limited, 'signal' | 'answerMs'>,
  { cancel, leave }: Cancellation = { cancel: undefined, leave() {} },
): Promise<Result<T, string>> {
  const until = cancel === undefined ? signal : AbortSignal.any([signal, cancel])
  return within(systemClock, answerMs, work, until, () => {
    leave()
    if (cancel?.aborted === true) return err('cancelled by the agent')
    return err(signal.aborted ? 'interrupted' : `no response to ${method} within ${answerMs / 1000} seconds`)
  })
}
