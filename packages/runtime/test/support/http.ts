/** HTTP servers on the loopback interface that are stopped with the test. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { afterEach } from 'vitest'
import { listen, stop } from '../../../io/test/loopback.ts'

/** Serves; returns the address, without a path. */
export type Serve = (listener: RequestListener) => Promise<string>

/** Starts servers and stops them after the test. */
export function useHttp(): Serve {
  const open: Server[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map(stop))
  })
  return async (listener) => {
    const server = createServer(listener)
    open.push(server)
    return listen(server)
  }
}

/** The body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}
