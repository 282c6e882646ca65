/** A plain MCP connection that only asks. Nothing is validated: a list with invalid schemas is still a list. */
import {
  createHttpSend,
  isEventStream,
  isSuccess,
  type JsonRpcMessage,
  messagesOf,
  readEventStream,
  readMessage,
  SESSION_HEADER,
  spawnPipe,
  writeAnswer,
  writeNotification,
  writeRequest,
} from '@joust/arena/wire'
import { createBoundedBytes, systemClock, within } from '@joust/io'
import { err, messageOf, ok, ownText, type Result, type Value } from '@joust/source'
import { aimLimits } from '../limits.ts'

/** A server to list: a command or an address, with variables filled in. */
export interface ListedServer {
  readonly name: string
  readonly command?: readonly string[]
  readonly url?: string
  readonly env?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** An open connection. */
export interface ListingConnection {
  /** Sends a request; the error says why there is no result. Never rejects. */
  request(method: string, params: Value): Promise<Result<Value, string>>
  notify(method: string): Promise<void>
  /** Sends the negotiated version with later requests, over HTTP. */
  agree(version: string): void
  close(): Promise<void>
}

/** Opens a connection; rejects if the command cannot be started. */
export async function connectTo(server: ListedServer, signal: AbortSignal): Promise<ListingConnection> {
  return server.url === undefined ? connectPipe(server, signal) : connectHttp(server, server.url, signal)
}

async function connectPipe({ command = [], env, cwd }: ListedServer, signal: AbortSignal): Promise<ListingConnection> {
  const [program = '', ...args] = command
  const open = spawnPipe({
    command: program,
    args,
    maxLineBytes: aimLimits.messageBytes,
    ...(env && { env }),
    ...(cwd && { cwd }),
  })
  const pipe = await open()
  const waiting = new Map<number, (answer: Result<Value, string>) => void>()
  let next = 1
  const read = async () => {
    for await (const { text, fault } of pipe.lines) {
      for (const message of messagesOf(readMessage(text, aimLimits.messageBytes, fault))) {
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
      for (const settle of waiting.values()) settle(err(`the server is gone: ${pipe.ending() ?? 'its output ended'}`))
      waiting.clear()
    })
  let isOver = false
  void reader.then(() => (isOver = true))
  return {
    async request(method, params) {
      if (isOver) return err(`the server is gone: ${pipe.ending() ?? 'its output ended'}`)
      const id = next++
      const answer = new Promise<Result<Value, string>>((resolve) => waiting.set(id, resolve))
      await pipe.send(writeRequest(id, method, params)).catch(() => undefined)
      return timed(answer, method, signal)
    },
    notify: (method) => pipe.send(writeNotification(method)).catch(() => undefined),
    agree() {},
    close: () => pipe.close(),
  }
}

type HttpAnswer = Awaited<ReturnType<ReturnType<typeof createHttpSend>>>

async function connectHttp(server: ListedServer, url: string, signal: AbortSignal): Promise<ListingConnection> {
  const http = createPost(server, url, signal)
  let next = 1
  const ask = async (id: number, method: string, params: Value): Promise<Result<Value, string>> => {
    const answer = await http.post(writeRequest(id, method, params))
    if (!isSuccess(answer.status)) return err(`the server answered with HTTP status ${answer.status}`)
    for await (const text of textsOf(answer))
      for (const message of messagesOf(readMessage(text, aimLimits.messageBytes)))
        if (message.kind === 'response' && message.id === id) return resultOf(message)
    return err('the server ended its answer without a response')
  }
  const failed = (thrown: unknown) => err(messageOf(thrown))
  return {
    request: (method, params) => timed(ask(next++, method, params).catch(failed), method, signal),
    async notify(method) {
      const sent = http.post(writeNotification(method)).then(() => ok(null), failed)
      await timed(sent, method, signal)
    },
    agree: http.agree,
    async close() {
      const ended = http.end().then(() => ok(null), failed)
      await timed(ended, 'DELETE', signal, CLOSE_MS)
      http.stop()
    },
  }
}

const CLOSE_MS = 1_000

/** Requests of one HTTP session. */
function createPost(server: ListedServer, url: string, signal: AbortSignal) {
  const send = createHttpSend()
  const stop = new AbortController()
  const all = AbortSignal.any([signal, stop.signal])
  const state: { session?: string; version?: string } = {}
  const headers = () => ({
    ...server.headers,
    ...(state.session && { [SESSION_HEADER]: state.session }),
    ...(state.version && { 'mcp-protocol-version': state.version }),
  })
  return {
    async post(body: string): Promise<HttpAnswer> {
      const kinds = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
      const answer = await send({ method: 'POST', url, headers: { ...kinds, ...headers() }, body, signal: all })
      const session = answer.headers[SESSION_HEADER]
      if (session !== undefined) state.session = session
      return answer
    },
    agree(version: string): void {
      state.version = version
    },
    async end(): Promise<void> {
      if (state.session !== undefined) await send({ method: 'DELETE', url, headers: headers(), signal: all })
    },
    stop: () => stop.abort(),
  }
}

async function* textsOf(answer: HttpAnswer): AsyncGenerator<string> {
  if (isEventStream(answer)) {
    for await (const { data } of readEventStream(answer.body, aimLimits.messageBytes)) if (data !== '') yield data
    return
  }
  const bytes = createBoundedBytes(aimLimits.messageBytes)
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
  return writeAnswer(id, { error: { code: -32601, message: 'not supported' } })
}

function timed(
  work: Promise<Result<Value, string>>,
  method: string,
  signal: AbortSignal,
  ms: number = aimLimits.answerMs,
) {
  return within(systemClock, ms, work, signal, () =>
    err(signal.aborted ? 'interrupted' : `no answer to ${method} within ${ms / 1000} seconds`),
  )
}
