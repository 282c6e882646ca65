/**
 * Sessions of MCP versions up to 2025-11-25 over Streamable HTTP. Each session has its own server, so that a
 * cancellation reaches the right call.
 */
import { randomUUID } from 'node:crypto'
import { own, type Value } from '@joust/source'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { runtimeLimits } from '../model/limits.ts'
import { type Exchange, sendRpcError } from './http.ts'
import { createMcpServer, type McpHost } from './mcp-server.ts'

interface Session {
  readonly transport: NodeStreamableHTTPServerTransport
  /** Signals by request id, aborted when the client disconnects, because responses are not replayed. */
  readonly waiting: Map<string | number, AbortSignal>
  exchanges: number
}

interface McpSessions {
  handle(exchange: Exchange, body: Value | undefined): Promise<void>
  close(): Promise<void>
}

export function createSessions(host: McpHost): McpSessions {
  const sessions = new Map<string, Session>()
  return {
    async handle(exchange, body) {
      const id = exchange.request.headers['mcp-session-id']
      if (typeof id !== 'string') {
        if (own(body, 'method') !== 'initialize') return refuse(exchange, 400, 'expected initialize or a session id')
        if (!makeRoom(sessions)) return refuse(exchange, 503, 'too many sessions')
        return use(await open(host, sessions), exchange, body)
      }
      const session = sessions.get(id)
      if (session === undefined) return refuse(exchange, 404, 'unknown session')
      // Maps keep insertion order, so the last used session moves to the end.
      sessions.delete(id)
      sessions.set(id, session)
      return use(session, exchange, body)
    },
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all(open.map(({ transport }) => transport.close()))
    },
  }
}

async function open(host: McpHost, sessions: Map<string, Session>): Promise<Session> {
  const waiting: Session['waiting'] = new Map()
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, session),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  const session: Session = { transport, waiting, exchanges: 0 }
  await createMcpServer(host, (id) => waiting.get(id)).connect(transport)
  return session
}

async function use(session: Session, { request, response, signal }: Exchange, body: Value | undefined): Promise<void> {
  const id = own(body, 'id')
  const tracked = typeof id === 'string' || typeof id === 'number'
  if (tracked) session.waiting.set(id, signal)
  session.exchanges += 1
  response.once('close', () => {
    session.exchanges -= 1
    if (tracked) session.waiting.delete(id)
  })
  await session.transport.handleRequest(request, response, body)
}

function makeRoom(sessions: Map<string, Session>): boolean {
  if (sessions.size < runtimeLimits.sessions) return true
  const idle = [...sessions].find(([, { exchanges }]) => exchanges === 0)
  if (idle === undefined) return false
  sessions.delete(idle[0])
  void idle[1].transport.close()
  return true
}

function refuse({ response }: Exchange, status: number, message: string): void {
  sendRpcError(response, status, -32_000, message)
}
