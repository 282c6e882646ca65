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
import { createBoundedBytes, within, systemClock } from '@joust/io'
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
  const open = spawnPipe({ command: program, args, maxLineBytes: aimLimits.messageBytes, ...(env && { env }), ...(cwd && { cwd }) })
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

async function connectHttp(server: ListedServer, url: string, signal: AbortSignal): Promise<ListingConnection> {
  const send = createHttpSend()
  const stop = new AbortController()
  const all = AbortSignal.any([signal, stop.signal])
  let session: string | undefined
  let version: string | undefined
  let next = 1
  const post = async (body: string): Promise<Awaited<ReturnType<typeof send>>> => {
    const answer = await send({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...server.headers,
        ...(session && { [SESSION_HEADER]: session }),
        ...(version && { 'mcp-protocol-version': version }),
      },
      body,
      signal: all,
    })
    session = answer.headers[SESSION_HEADER] ?? session
    return answer
  }
  const ask = async (id: number, method: string, params: Value): Promise<Result<Value, string>> => {
    const answer = await post(writeRequest(id, method, params))
    if (!isSuccess(answer.status)) return err(`the server answered with HTTP status ${answer.status}`)
    for await (const text of textsOf(answer))
      for (const message of messagesOf(readMessage(text, aimLimits.messageBytes)))
        if (message.kind === 'response' && message.id === id) return resultOf(message)
    return err('the server ended its answer without a response')
  }
  return {
    request: (method, params) => timed(ask(next++, method, params).catch((thrown) => err(messageOf(thrown))), method, signal),
    async notify(method) {
      await timed(post(writeNotification(method)).then(() => ok(null), (thrown) => err(messageOf(thrown))), method, signal)
    },
    agree: (agreed) => void (version = agreed),
    async close() {
      if (session !== undefined)
        await timed(send({ method: 'DELETE', url, headers: { ...server.headers, [SESSION_HEADER]: session }, signal: all }).then(() => ok(null), () => ok(null)), 'DELETE', signal, 1_000)
      stop.abort()
    },
  }
}

async function* textsOf(answer: Awaited<ReturnType<ReturnType<typeof createHttpSend>>>): AsyncGenerator<string> {
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
  return message.failed ? err(ownText(message.content, 'message') ?? 'the server answered with an error') : ok(message.content)
}

/** Sampling, roots and elicitation are refused. */
function refusal(id: Value): string {
  return writeAnswer(id, { error: { code: -32601, message: 'not supported' } })
}

function timed(work: Promise<Result<Value, string>>, method: string, signal: AbortSignal, ms: number = aimLimits.answerMs) {
  return within(systemClock, ms, work, signal, () =>
    err(signal.aborted ? 'interrupted' : `no answer to ${method} within ${ms / 1000} seconds`),
  )
}
