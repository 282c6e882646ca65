/** Server-sent events to one client. */

import type { ServerResponse } from 'node:http'
import { runtimeLimits } from '../model/limits.ts'

/** An answer that goes on. */
interface EventStream {
  send(data: unknown): void
  end(): void
}

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
      if (response.writableLength > runtimeLimits.unreadEventBytes) response.destroy()
    },
    end() {
      response.end()
    },
  }
}
