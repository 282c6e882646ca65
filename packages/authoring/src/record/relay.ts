/** A loopback relay for one HTTP server, on its own port. Paths are unchanged. Every byte is passed on and recorded. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cardPaths, createEventReader, isEventStream } from '@joust/arena/wire'
import { checkAccess, createBoundedBytes, strictText } from '@joust/io'
import { bodyText, type Capture, createUpstreamPool, type HeaderList } from '@joust/models'
import { ok } from '@joust/source'
import { relayCard } from './agent-card.ts'
import { createDialogue, type Dialogue, type Peer, protocolOf } from './dialogue.ts'
import { agUiExchange, jsonRpcExchange, type RecordedExchange, restExchange } from './exchanges.ts'
import { recordLimits } from './limits.ts'
import type { Tape } from './tape.ts'

interface RelayOptions {
  readonly peer: Peer
  /** The URL of the real server. */
  readonly upstream: URL
  readonly tape: Tape
  /** A bearer token for requests without credentials. */
  readonly token?: string
  /** Called if the server requires a login, which is impossible through a recorder. */
  readonly onLogin?: () => void
  /** Called with each agent card endpoint that is not recorded. */
  readonly onElsewhere?: (url: string) => void
}

export interface Relay {
  /** The URL for the caller's configuration. */
  readonly url: string
  /** Closes all connections. Never rejects. */
  close(): Promise<void>
}

const LOOPBACK = '127.0.0.1'

/** Starts a relay. Rejects with a system error if it cannot listen. */
export async function startRelay(options: RelayOptions): Promise<Relay> {
  const { peer, upstream, tape, token, onElsewhere = () => {} } = options
  const server = createServer({ keepAliveTimeout: 60_000, requestTimeout: 0 })
  const pool = createUpstreamPool()
  const dialogue = createDialogue(peer, tape)
  await listen(server)
  // A server that listens on a port has an address of this type.
  const { port } = server.address() as AddressInfo
  const own = `http://${LOOPBACK}:${port}`
  const headers = (pairs: HeaderList) => translated(pairs, port, options)
  const pass = pool.upstream(upstream.origin, { headers, breaks: true })
  let exchanges = 0
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    // A relay that has a token gives access to the server, and web pages must not get this access.
    const access = token === undefined ? ok(undefined) : checkAccess(request.headers, LOOPBACK)
    if (!access.ok) return void response.writeHead(403).end(access.error.message)
    const pathname = pathOf(request)
    if (protocolOf(peer) === 'a2a' && request.method === 'GET' && cardPaths.some((path) => pathname.endsWith(path)))
      return void relayCard({ peer, tape, upstream, own, headers, onElsewhere }, request, response)
    exchanges += 1
    const exchange = exchangeOf(options, dialogue, `${exchanges}`, request)
    pass(captureOf(request, exchange, options), request, response)
  })
  return {
    url: `${own}${upstream.pathname}${upstream.search}`,
    async close() {
      server.closeAllConnections()
      pool.close()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.on('error', reject)
    server.listen(0, LOOPBACK, resolve)
  })
}

/** Returns the raw request path, because a URL parser would treat a leading `//` as the start of a host. */
function pathOf({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  return url.split('?')[0] ?? '/'
}

/** Returns the exchange of a request. Undefined for a request outside the protocol, such as OAuth metadata. */
function exchangeOf(
  { peer, tape, upstream }: RelayOptions,
  dialogue: Dialogue,
  id: string,
  { headers, method = '', url = '/' }: IncomingMessage,
): RecordedExchange | undefined {
  const rest = protocolOf(peer) === 'a2a' ? restExchange(peer, tape, { method, target: url }) : undefined
  if (rest !== undefined) return rest
  const isElsewhere = pathOf({ url }) !== upstream.pathname
  if (isElsewhere && method !== 'POST') return undefined
  const session = headers['mcp-session-id']
  return peer.mode === 'ag_ui_client'
    ? agUiExchange(peer, tape)
    : jsonRpcExchange(dialogue, id, typeof session === 'string' ? session : undefined, isElsewhere)
}

/**
 * Translates headers for the server. Only the relay's own name is replaced: the server must see a foreign Host or
 * Origin to reject it. Responses are requested uncompressed, so that streams can be read as they arrive.
 */
function translated(pairs: HeaderList, port: number, { upstream, token }: RelayOptions): HeaderList {
  const names = [LOOPBACK, 'localhost', '[::1]'].map((host) => `${host}:${port}`)
  const adapted = pairs.map(([name, value]): readonly [string, string] => {
    const lower = name.toLowerCase()
    if (lower === 'host' && names.includes(value)) return [name, upstream.host]
    if (lower === 'origin' && names.includes(value.replace(/^http:\/\//, ''))) return [name, upstream.origin]
    return lower === 'accept-encoding' ? [name, 'identity'] : [name, value]
  })
  const isBare = !pairs.some(([name]) => name.toLowerCase() === 'authorization')
  return token !== undefined && isBare ? [...adapted, ['Authorization', `Bearer ${token}`]] : adapted
}

/** Records an exchange while it is passed on. */
function captureOf(request: IncomingMessage, exchange: RecordedExchange | undefined, options: RelayOptions): Capture {
  const body = createBoundedBytes(recordLimits.messageBytes)
  let isCut = false
  let isAsked = false
  let answer: ReturnType<typeof answerReader> | undefined
  const ask = () => {
    if (isAsked) return
    isAsked = true
    const { text, fault = isCut ? TOO_LONG : undefined } = strictText(body.bytes(), isCut)
    exchange?.request(text, fault)
  }
  request.once('end', ask)
  return {
    path: request.url ?? '/',
    sent(bytes) {
      if (!body.add(bytes)) isCut = true
    },
    bytes: () => (isCut ? undefined : body.bytes()),
    text: () => undefined,
    answered(status, headers) {
      ask()
      const { authorization } = request.headers
      if (status === 401 && authorization === undefined && options.token === undefined) options.onLogin?.()
      const session = headerOf(headers, 'mcp-session-id')
      exchange?.answered(status, session)
      answer = exchange && answerReader(exchange, headers)
    },
    received: (bytes) => answer?.push(bytes),
    note() {},
    finish(how) {
      ask()
      answer?.end()
      exchange?.end(how)
    },
  }
}

const TOO_LONG = `longer than ${recordLimits.messageBytes} bytes`

/** Reads a response: each event as it arrives, any other body once it is complete. */
function answerReader(exchange: RecordedExchange, headers: HeaderList) {
  const type = headerOf(headers, 'content-type') ?? ''
  const take = ({ data, fault }: { readonly data: string; readonly fault?: string }) => exchange.message(data, fault)
  if (isEventStream({ headers: { 'content-type': type } })) {
    const events = createEventReader(recordLimits.messageBytes)
    return { push: (bytes: Uint8Array) => events.push(bytes).forEach(take), end: () => events.end().forEach(take) }
  }
  const body = createBoundedBytes(recordLimits.messageBytes)
  let isCut = false
  return {
    push(bytes: Uint8Array) {
      if (!body.add(bytes)) isCut = true
    },
    end() {
      if (isCut) return exchange.message(strictText(body.bytes(), true).text, TOO_LONG)
      const read = bodyText(body.bytes(), headers, 'answer')
      if ('text' in read) exchange.message(read.text)
      else exchange.message('', read.diagnostic.message)
    },
  }
}

function headerOf(headers: HeaderList, wanted: string): string | undefined {
  return headers.find(([name]) => name.toLowerCase() === wanted)?.[1]
}
