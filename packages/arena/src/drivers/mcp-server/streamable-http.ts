/** MCP over HTTP ("Streamable HTTP"): sessions, POST, the listening stream, and rejections. */
import { ownText } from '@joust/source'
import type { HttpHandler, HttpReply, HttpRequest } from '../../model/http.ts'
import type { DriverContext } from '../driver.ts'
import { checkPage } from '../guard.ts'
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
import { writtenReply } from '../written-headers.ts'
import type { Conversation } from './conversation.ts'
import { servePage } from './pages.ts'
import { PostExchange } from './post.ts'
import type { Session, Sessions } from './sessions.ts'
import type { Streams } from './stream.ts'

/** The root path is served too. */
export const MCP_PATH = '/mcp'

/** The first version whose clients accept events without data. */
const FIRST_PRIMED = '2025-11-25'

export interface HttpParts {
  readonly context: DriverContext
  readonly sessions: Sessions
  readonly streams: Streams
  readonly conversation: Conversation
  readonly origin: () => string
}

export function createHttpHandler(parts: HttpParts): HttpHandler {
  const { sessions, streams } = parts
  return async (request, written) => {
    const reply = writtenReply(parts.context.stage, written)
    const refuse = (status: number, reason: string) => reject(parts, request, reply, status, reason)
    const path = request.target.split('?', 1)[0]
    const page = checkPage(request, parts.origin())
    if (!page.ok) return refuse(403, page.error)
    // Headers in the state apply only to MCP messages.
    if (await servePage(parts.context.stage, request, written, MCP_PATH)) return
    if (path !== MCP_PATH && path !== '/') return refuse(404, `unknown path ${path}`)
    if (request.method === 'POST') return post(parts, request, reply)
    if (request.method !== 'GET' && request.method !== 'DELETE') return refuse(405, `${request.method} is not allowed`)
    const session = sessionOf(sessions, request)
    if (session === undefined) return refuse(404, 'Session not found')
    keepBody(parts, request, `unexpected body of ${request.method}`)
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
  const existing = sessionOf(sessions, request)
  const initialize = findInitialize(incoming)
  const begins = initialize !== undefined && (existing === undefined || existing === sessions.anonymous)
  if (existing === undefined && !begins) return reject(parts, request, reply, 404, 'Session not found')
  const session = begins || existing === undefined ? beginSession(parts) : existing
  sessions.heard(session)
  const version = ownText(initialize?.params, 'protocolVersion')
  if (version !== undefined) session.version = version
  const headers = begins && session.id !== undefined ? { [SESSION_HEADER]: session.id } : {}
  const primed = isPrimed(session)
  const exchange = new PostExchange({ request, reply, incoming, session, headers, primed, sessions, streams })
  await conversation(incoming, exchange)
  await exchange.over
}

async function listen({ streams }: HttpParts, session: Session, request: HttpRequest, reply: HttpReply): Promise<void> {
  if (request.headers.accept?.includes('text/event-stream') !== true) return sendEmpty(reply, 406)
  const lastEventId = request.headers['last-event-id']
  const resumed = lastEventId === undefined ? undefined : streams.find(session, lastEventId)
  const { stream, after } = resumed ?? { stream: streams.open(session, true), after: 0 }
  await stream.connect({ reply, signal: request.signal, headers: {}, primed: isPrimed(session) }, after)
}

/** The session adopts a listening stream that was opened before it. */
function beginSession({ context, sessions, streams }: HttpParts): Session {
  const session = sessions.begin(context.newId())
  streams.listening(sessions.anonymous)?.moveTo(session)
  return session
}

/** Returns undefined for an unknown id. */
function sessionOf(sessions: Sessions, { headers }: HttpRequest): Session | undefined {
  const id = headers[SESSION_HEADER]
  return id === undefined ? sessions.anonymous : sessions.find(id)
}

function findInitialize(incoming: JsonRpcMessage | JsonRpcBatch): JsonRpcRequest | undefined {
  for (const item of messagesOf(incoming)) if (item.kind === 'request' && item.method === 'initialize') return item
  return undefined
}

/** True for a client that accepts events with only an id. Streams without a session cannot be resumed. */
function isPrimed({ id, version = '' }: Session): boolean {
  return id !== undefined && version >= FIRST_PRIMED && version < MODERN_VERSION
}

async function reject(
  parts: HttpParts,
  request: HttpRequest,
  reply: HttpReply,
  status: number,
  reason: string,
): Promise<void> {
  keepBody(parts, request, reason, `rejected with HTTP ${status}: ${reason}`)
  await sendJson(reply, writeAnswer(null, failure(-32000, reason)), status)
}

function keepBody({ context: { stage } }: HttpParts, request: HttpRequest, reason: string, report = reason): void {
  if (request.body.length === 0) return
  recordMalformed(stage, { direction: 'request' }, requestText(request).text, reason, report)
}
