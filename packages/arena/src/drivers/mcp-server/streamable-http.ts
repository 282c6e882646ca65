/** MCP over HTTP ("Streamable HTTP"): sessions, POST, the listening stream, and where requests are refused. */
import { ownText } from '@joust/source'
import type { HttpHandler, HttpReply, HttpRequest } from '../../model/http.ts'
import type { DriverContext } from '../driver.ts'
import { pageRefusal } from '../guard.ts'
import { recordMalformed, requestText, sendEmpty, sendJson } from '../http-body.ts'
import {
  failure,
  type JsonRpcBatch,
  type JsonRpcMessage,
  type JsonRpcRequest,
  messagesOf,
  readMessage,
  writeAnswer,
} from '../json-rpc.ts'
import { MODERN_VERSION, SESSION_HEADER } from '../mcp/protocol.ts'
import type { Conversation } from './conversation.ts'
import { PostExchange } from './post.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Streams } from './stream.ts'

/** Where the server is found; the root is served as well. */
export const MCP_PATH = '/mcp'

/** The first version whose clients accept events without data. */
const FIRST_PRIMED = '2025-11-25'

/** What the HTTP side of the driver works with. */
export interface HttpParts {
  readonly context: DriverContext
  readonly sessions: Sessions
  readonly streams: Streams
  readonly conversation: Conversation
  /** Where the server listens. */
  readonly origin: () => string
}

/** Answers the requests of all clients. */
export function createHttpHandler(parts: HttpParts): HttpHandler {
  const { sessions, streams } = parts
  return async (request, reply) => {
    const refuse = (status: number, reason: string) => turnAway(parts, request, reply, status, reason)
    const path = request.target.split('?', 1)[0]
    const forbidden = pageRefusal(request, parts.origin())
    if (forbidden !== undefined) return refuse(403, forbidden)
    if (path !== MCP_PATH && path !== '/') return refuse(404, `nothing is served at ${path}`)
    if (request.method === 'POST') return post(parts, request, reply)
    if (request.method !== 'GET' && request.method !== 'DELETE') return refuse(405, `${request.method} is not served`)
    const session = sessionOf(sessions, request)
    if (session === undefined) return refuse(404, 'Session not found')
    keepBody(parts, request, `${request.method} has no message`)
    if (request.method === 'GET') return listen(parts, session, request, reply)
    sessions.end(session)
    streams.end(session)
    await sendEmpty(reply, 200)
  }
}

async function post(parts: HttpParts, request: HttpRequest, reply: HttpReply): Promise<void> {
  const { context, sessions, streams, conversation } = parts
  const { text, fault } = requestText(request)
  const incoming = readMessage(text, context.limits.messageBytes, fault)
  const known = sessionOf(sessions, request)
  const initialize = findInitialize(incoming)
  const begins = initialize !== undefined && (known === undefined || known === sessions.anonymous)
  if (known === undefined && !begins) return turnAway(parts, request, reply, 404, 'Session not found')
  const session = begins || known === undefined ? beginSession(parts) : known
  sessions.heard(session)
  const version = ownText(initialize?.params, 'protocolVersion')
  if (version !== undefined) session.version = version
  const headers = begins && session.id !== undefined ? { [SESSION_HEADER]: session.id } : {}
  const primed = isPrimed(session)
  const exchange = new PostExchange({ request, reply, incoming, session, headers, primed, sessions, streams })
  await conversation(incoming, exchange)
  await exchange.over
}

/** The stream of messages that answer nothing. A client that names the last event it saw continues from there. */
async function listen({ streams }: HttpParts, session: Session, request: HttpRequest, reply: HttpReply): Promise<void> {
  if (request.headers.accept?.includes('text/event-stream') !== true) return sendEmpty(reply, 406)
  const lastSeen = request.headers['last-event-id']
  const resumed = lastSeen === undefined ? undefined : streams.find(session, lastSeen)
  const { stream, after } = resumed ?? { stream: streams.open(session, true), after: 0 }
  await stream.connect({ reply, signal: request.signal, headers: {}, primed: isPrimed(session) }, after)
}

/** A client may begin to listen before it has a session; then that stream is the session's. */
function beginSession({ context, sessions, streams }: HttpParts): Session {
  const session = sessions.begin(context.newId())
  streams.listening(sessions.anonymous)?.moveTo(session)
  return session
}

/** Undefined when the session is not known. */
function sessionOf(sessions: Sessions, { headers }: HttpRequest): Session | undefined {
  const id = headers[SESSION_HEADER]
  return id === undefined ? sessions.anonymous : sessions.find(id)
}

function findInitialize(incoming: JsonRpcMessage | JsonRpcBatch): JsonRpcRequest | undefined {
  for (const item of messagesOf(incoming)) if (item.kind === 'request' && item.method === 'initialize') return item
  return undefined
}

/** Whether a client accepts events that have only an id. Streams without a session cannot be resumed. */
function isPrimed({ id, version = '' }: Session): boolean {
  return id !== undefined && version >= FIRST_PRIMED && version < MODERN_VERSION
}

/** Refuses a request before it is read as a message. Its content is recorded anyway. */
async function turnAway(
  parts: HttpParts,
  request: HttpRequest,
  reply: HttpReply,
  status: number,
  reason: string,
): Promise<void> {
  keepBody(parts, request, reason, `answered with ${status}: ${reason}`)
  await sendJson(reply, writeAnswer(null, failure(-32000, reason)), status)
}

function keepBody({ context: { stage } }: HttpParts, request: HttpRequest, reason: string, report = reason): void {
  if (request.body.length === 0) return
  recordMalformed(stage, { direction: 'request' }, requestText(request).text, reason, report)
}
