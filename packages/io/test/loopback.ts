/** Test servers: on the loopback interface, on a free port. */
import { type AddressInfo, createServer, type Server } from 'node:net'
import { onTestFinished } from 'vitest'

/** Lets a server listen; returns its address, without a path. The caller stops it. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this type.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Like `listen`, until the end of the test; open connections are then closed. */
export async function listenForTest(server: Server): Promise<string> {
  onTestFinished(() => void stop(server))
  return listen(server)
}

/** Closes a server and its open connections. */
export async function stop(server: Server & { closeAllConnections?(): void }): Promise<void> {
  server.closeAllConnections?.()
  await new Promise<void>((resolve) => server.close(() => resolve()))
}

/** A port that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer()
  const { port } = new URL(await listen(server))
  await stop(server)
  return Number(port)
}
