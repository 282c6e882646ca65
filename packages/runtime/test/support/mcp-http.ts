/** The honest MCP server over Streamable HTTP, on the official SDK, with sessions. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node'
import { createServer } from '../fixtures/mcp-tools.mjs'
import type { Serve } from './http.ts'

/** Where it listens, and what it received. */
export interface McpHttpServer {
  readonly url: string
  readonly requests: IncomingMessage[]
  /** The sessions that are open. */
  readonly sessions: ReadonlyMap<string, NodeStreamableHTTPServerTransport>
}

/** Serves it under `/mcp`; `refuse` answers who comes with a session that is not open. */
export async function serveMcp(
  serve: Serve,
  refuse = (response: ServerResponse): unknown => response.writeHead(404).end('no such session'),
): Promise<McpHttpServer> {
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  const requests: IncomingMessage[] = []
  const base = await serve(async (request, response) => {
    requests.push(request)
    const id = request.headers['mcp-session-id']
    const known = typeof id === 'string' ? sessions.get(id) : undefined
    if (typeof id === 'string' && known === undefined) {
      refuse(response)
      return
    }
    await (known ?? (await open(sessions))).handleRequest(request, response)
  })
  return { url: `${base}/mcp`, requests, sessions }
}

async function open(sessions: Map<string, NodeStreamableHTTPServerTransport>) {
  const transport = new NodeStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessioninitialized: (id) => void sessions.set(id, transport),
    onsessionclosed: (id) => void sessions.delete(id),
  })
  await createServer().connect(transport)
  return transport
}
