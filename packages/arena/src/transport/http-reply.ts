/** An answer over a socket. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HttpReply } from '../model/http.ts'
import { endStream, isOpen, writeChunk } from './streams.ts'

/** How a request that came in over a socket is answered. */
export function createHttpReply(request: IncomingMessage, response: ServerResponse): HttpReply {
  let headed = false
  return {
    head(status, headers = {}) {
      if (!isOpen(response)) return
      if (headed) throw new Error('the head of an answer was sent twice')
      if (!Number.isInteger(status) || status < 100 || status > 999) throw new RangeError(`not a status: ${status}`)
      headed = true
      response.statusCode = status
      for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
      // Not at once: an answer that ends in the same turn goes out in one piece, with its length.
      queueMicrotask(() => {
        if (isOpen(response)) response.flushHeaders()
      })
    },
    async write(chunk) {
      if (chunk.length > 0) await writeChunk(response, chunk)
    },
    end: (chunk) => endStream(response, chunk),
    destroy: () => void request.socket.destroy(),
  }
}
