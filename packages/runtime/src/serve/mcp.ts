/** Agents as an MCP server over Streamable HTTP: versions with sessions, and 2026-07-28 without. */
import type { IncomingMessage } from 'node:http'
import type { Agent } from '@joust/agentformat'
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node'
import { createMcpHandler, isLegacyRequest } from '@modelcontextprotocol/server'
import type { Runtime } from '../runtime.ts'
import { readBody } from './body.ts'
import { refuseMethod, type Served, type ServeOptions, sendJson, serveHttp } from './http.ts'
import { createMcpServer, type McpHost } from './mcp-server.ts'
import { createSessions } from './mcp-sessions.ts'
import { agentTools } from './mcp-tools.ts'
import { requireReady } from './ready.ts'

/** Serves an agent, or several, as the tools of an MCP server. */
export async function serveMcp(
  runtime: Runtime,
  agents: Agent | readonly Agent[],
  options: ServeOptions = {},
): Promise<Served> {
  const served = 'document' in agents ? [agents] : agents
  await requireReady(runtime, served, options)
  const stopping = new AbortController()
  const { memoryScope, maxBodyBytes } = options
  const host: McpHost = {
    runtime,
    tools: agentTools(served),
    shared: memoryScope === undefined ? {} : { memoryScope },
    stopping: stopping.signal,
  }
  const sessions = createSessions(host)
  const modern = createMcpHandler(() => createMcpServer(host), { legacy: 'reject' })
  const serveModern = toNodeHandler(modern)
  return serveHttp(
    async (exchange) => {
      const { request, response, path } = exchange
      if (path !== '/') return sendJson(response, 404, { error: `there is nothing at ${path}` })
      if (request.method === 'GET' || request.method === 'DELETE') return sessions.handle(exchange, undefined)
      if (request.method !== 'POST') return refuseMethod(response, 'GET, POST, DELETE')
      const body = await readBody(request, maxBodyBytes)
      if (!body.ok) {
        const { status, message } = body.error
        return sendJson(response, status, { jsonrpc: '2.0', id: null, error: { code: -32700, message } })
      }
      // What a server receives has a method and an address.
      const received = request as IncomingMessage & { method: string; url: string }
      const legacy = await isLegacyRequest(await toWebRequest(received, body.value), body.value)
      await (legacy ? sessions.handle(exchange, body.value) : serveModern(received, response, body.value))
    },
    options,
    async () => {
      stopping.abort(new Error('the server stops'))
      await Promise.all([sessions.close(), modern.close()])
    },
  )
}
