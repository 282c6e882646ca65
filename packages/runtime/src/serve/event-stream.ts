/** Server-sent events to one client. */
import type { ServerResponse } from 'node:http'

/** An answer that goes on. */
export interface EventStream {
  send(data: unknown): void
  end(): void
}

/** What may wait for a client that does not read. */
const MOST_WAITING = 16 * 1024 * 1024

/** Starts the answer. A client that reads too slowly is hung up on. */
export function openEventStream(response: ServerResponse): EventStream {
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  return {
    send(data) {
      if (response.writableEnded || response.destroyed) return
      response.write(`data: ${JSON.stringify(data)}\n\n`)
      if (response.writableLength > MOST_WAITING) response.destroy()
    },
    end() {
      response.end()
    },
  }
}
