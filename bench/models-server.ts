/**
 * A separate process for each server of `models.ts`: `provider PIECES PACE`, `bulk MIB`, `relay UPSTREAM` or `proxy
 * UPSTREAM`.
 */
import { createServer } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer, type Server } from 'node:net'
import { startModelProxy } from '@joust/models'

/** Sent once at the start and on every request. */
export interface ServerReport {
  readonly url: string
  /** Processor seconds since the start. */
  readonly cpu: number
  readonly calls: number
  /** Peak memory since the start, in bytes. */
  readonly held: number
}

const [kind, ...words] = process.argv.slice(2)
const served = await serve(words[0] ?? '')
const report = () => {
  const { user, system } = process.cpuUsage()
  process.send?.({
    url: served.url,
    cpu: (user + system) / 1e6,
    calls: served.calls(),
    held: process.resourceUsage().maxRSS * 1024,
  } satisfies ServerReport)
}
process.on('message', report)
process.once('disconnect', () => process.exit())
report()

function serve(word: string) {
  if (kind === 'proxy') return serveProxy(word)
  if (kind === 'bulk') return serveBulk(Number(word))
  return kind === 'relay' ? serveRelay(word) : serveProvider(Number(word), Number(words[1]))
}

/** Copies bytes between two sockets. */
async function serveRelay(upstream: string) {
  const { port } = new URL(upstream)
  const server = createSocketServer({ noDelay: true }, (socket) => {
    const other = connect({ port: Number(port), host: '127.0.0.1', noDelay: true })
    socket.pipe(other).pipe(socket)
    for (const end of [socket, other]) end.on('error', () => other.destroy())
  })
  return { url: await listen(server), calls: () => 0 }
}

async function serveProxy(upstream: string) {
  const proxy = await startModelProxy()
  let calls = 0
  const { url } = proxy.open({ upstream, onCall: () => (calls += 1) })
  return { url, calls: () => calls }
}

async function serveProvider(pieces: number, pace: number) {
  let calls = 0
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    request.resume()
    request.on('end', () => {
      calls += 1
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      let count = 0
      const send = () => {
        count += 1
        const at = performance.timeOrigin + performance.now()
        const finish_reason = count === pieces ? 'stop' : null
        response.write(
          `data: ${JSON.stringify({ at, choices: [{ index: 0, delta: { content: 'word ' }, finish_reason }] })}\n\n`,
        )
        if (count < pieces) return
        clearInterval(timer)
        response.end('data: [DONE]\n\n')
      }
      const timer = setInterval(send, pace)
      send()
    })
  })
  return { url: await listen(server), calls: () => calls }
}

/** Serves complete model responses of one size. */
async function serveBulk(mebibytes: number) {
  const piece = Buffer.alloc(1 << 20, 'x')
  const server = createServer((request, response) => {
    request.resume()
    let left = mebibytes
    const more = () => {
      while (left > 0) {
        left -= 1
        if (!response.write(piece)) return response.once('drain', more)
      }
      return response.end('"},"finish_reason":"stop"}]}')
    }
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write('{"choices":[{"index":0,"message":{"content":"')
      more()
    })
  })
  return { url: await listen(server), calls: () => 0 }
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an address of this type.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
