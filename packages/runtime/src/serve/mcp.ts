/** Serves agents over MCP on Streamable HTTP, with sessions for versions before 2026-07-28. */
import type { IncomingMessage } from 'node:http'
import type { Agent } from '@joust/agentformat'
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { Runtime } from '../runtime.ts'
import { readBody } from './body.ts'
import {
  type Handler,
  PARSE_ERROR,
  refuseMethod,
  type Served,
  type ServeOptions,
  sendJson,
  sendRpcError,
  serveHttp,
} from './http.ts'
import { createMcpServer, openMcpHost } from './mcp-server.ts'
import { createSessions } from './mcp-sessions.ts'

/** Serves agents as the tools of an MCP server. */
export async function serveMcp(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: ServeOptions = {},
): Promise<Served> {
  const { handle, close } = await mcpHandler(runtime, agents, options)
  return serveHttp(handle, options, close)
}

/** Creates the request handler, for a server with several protocols. */
export async function mcpHandler(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: ServeOptions,
): Promise<Handler> {
  const host = await openMcpHost(runtime, agents, options)
  const sessions = createSessions(host)
  const modern = createMcpHandler(() => createMcpServer(host), { legacy: 'reject' })
  const serveModern = toNodeHandler(modern)
  return {
    async handle(exchange) {
      const { request, response, path } = exchange
      if (path !== '/') return sendJson(response, 404, { error: `not found: ${path}` })
      if (request.method === 'GET' || request.method === 'DELETE') return sessions.handle(exchange, undefined)
      if (request.method !== 'POST') return refuseMethod(response, 'GET, POST, DELETE')
      const body = await readBody(request, options.maxBodyBytes)
      if (!body.ok) return sendRpcError(response, body.error.status, PARSE_ERROR, body.error.message)
      // Incoming requests always have a method and a URL.
      const received = request as IncomingMessage & { method: string; url: string }
      const legacy = await isLegacyRequest(await toWebRequest(received, body.value), body.value)
      await (legacy ? sessions.handle(exchange, body.value) : serveModern(received, response, body.value))
    },
    async close() {
      host.stopping.abort(new Error('the server is stopping'))
      await Promise.all([sessions.close(), modern.close()])
    },
  }
}
