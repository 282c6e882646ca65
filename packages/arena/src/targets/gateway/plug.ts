/** A server actor in a slot: what comes to the slot goes to it, until its run is over. */
import type { HttpHandler, HttpReply, HttpRequest } from '../../model/http.ts'

/** An actor that is plugged in. */
export interface Plug {
  handle(request: HttpRequest, reply: HttpReply): Promise<void>
  /** Breaks off what is still under way, as a server that stops does. */
  pull(): void
}

/** Plugs a handler in; `onSession` hears of the MCP sessions that it begins. */
export function createPlug(handler: HttpHandler, onSession: (id: string) => void): Plug {
  const over = new AbortController()
  const open = new Set<HttpReply>()
  return {
    async handle(request, reply) {
      open.add(reply)
      const watched: HttpReply = {
        ...reply,
        head(status, headers = {}) {
          const id = headers[SESSION_HEADER]
          if (id !== undefined) onSession(id)
          reply.head(status, headers)
        },
      }
      try {
        await handler({ ...request, signal: AbortSignal.any([request.signal, over.signal]) }, watched)
      } finally {
        open.delete(reply)
      }
    },
    pull() {
      over.abort('the server stops')
      for (const reply of open) reply.destroy()
      open.clear()
    },
  }
}

/** How MCP names sessions over HTTP. */
export const SESSION_HEADER = 'mcp-session-id'
