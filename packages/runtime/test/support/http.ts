/** HTTP servers on the loopback interface that end with the test. */
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** Serves; gives the address, without a path. */
export type Serve = (listener: RequestListener) => Promise<string>

/** Serves; whatever the test does, the servers end with it. */
export function useHttp(): Serve {
  const open: Server[] = []
  afterEach(async () => {
    await Promise.all(open.splice(0).map(stop))
  })
  return async (listener) => {
    const server = createServer(listener)
    open.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    // A server that listens on a port has an address of this kind.
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
}

/** The body of a request. */
export async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request) body += chunk
  return body
}

async function stop(server: Server): Promise<void> {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // As above.
  const { port } = server.address() as AddressInfo
  await stop(server)
  return port
}
