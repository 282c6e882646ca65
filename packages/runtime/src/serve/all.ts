/** Serves one agent over several protocols on one server, each at its own path. */
import type { Agent } from '@joust/agentformat'
import { CARD_PATH } from '../connectors/a2a-card.ts'
import type { Runtime } from '../runtime.ts'
import { a2aHandler } from './a2a.ts'
import { agUiHandler } from './ag-ui.ts'
import { type Exchange, type Handler, type Served, type ServeOptions, sendJson, serveHttp } from './http.ts'
import { mcpHandler } from './mcp.ts'

/** A protocol of `serveAll`. Its name is also its path: `/ag-ui`, `/a2a`, `/mcp`. */
export type ServedProtocol = 'ag-ui' | 'a2a' | 'mcp'

/** A server with several protocols; `urls` contains the URL for each protocol. */
export interface ServedAll extends Served {
  readonly urls: Readonly<Partial<Record<ServedProtocol, string>>>
}

/** Serves an agent over several protocols. The A2A card is also available at its well-known path. */
export async function serveAll(
  runtime: Runtime,
  agent: Agent,
  protocols: readonly ServedProtocol[],
  options: ServeOptions = {},
): Promise<ServedAll> {
  const handlers = new Map<string, Handler>()
  for (const protocol of protocols) handlers.set(protocol, await create(protocol, runtime, agent, options))
  const served = await serveHttp(
    async (exchange) => {
      const [, first = '', rest = '/'] = /^\/([^/]*)(\/.*)?$/.exec(exchange.path) ?? []
      const isCard = exchange.path === CARD_PATH
      const handler = handlers.get(isCard ? 'a2a' : first)
      if (handler === undefined) return refuse(exchange, protocols)
      await handler.handle({ ...exchange, path: isCard ? CARD_PATH : rest })
    },
    options,
    async () => {
      await Promise.all([...handlers.values()].map((handler) => handler.close()))
    },
  )
  const urls = Object.fromEntries(protocols.map((protocol) => [protocol, `${served.url}${protocol}/`]))
  return { ...served, urls }
}

function create(protocol: ServedProtocol, runtime: Runtime, agent: Agent, options: ServeOptions): Promise<Handler> {
  if (protocol === 'ag-ui') return agUiHandler(runtime, agent, options)
  return protocol === 'a2a' ? a2aHandler(runtime, agent, options, '/a2a/') : mcpHandler(runtime, agent, options)
}

function refuse({ response, path }: Exchange, protocols: readonly ServedProtocol[]): void {
  const available = protocols.map((protocol) => `/${protocol}/`).join(', ')
  sendJson(response, 404, { error: `not found: ${path}; available: ${available}` })
}
