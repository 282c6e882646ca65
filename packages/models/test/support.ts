/** Providers and agents for tests: real servers and clients on loopback, whose bytes are compared. */
import { type Agent, createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { type ModelProxy, type ModelRun, type RunOptions, startModelProxy } from '../src/index.ts'

/** A request as the provider got it. */
export interface SeenRequest {
  readonly method: string | undefined
  readonly url: string | undefined
  readonly headers: readonly string[]
  readonly body: string
  readonly trailers: readonly string[]
}

/** An answer as the agent got it; `end` is `whole` or the code of the error that broke it. */
export interface SeenAnswer {
  readonly status?: number
  readonly message?: string
  readonly headers: readonly string[]
  readonly body: Buffer
  readonly trailers: readonly string[]
  readonly pieces: number
  readonly end: string
}

export interface SentRequest {
  readonly method?: string
  readonly headers?: readonly string[]
  readonly body?: string | Uint8Array
  readonly trailers?: readonly (readonly [string, string])[]
  readonly agent?: Agent
}

/** Lets a server listen until the test is over. */
export async function listen(server: Server | ReturnType<typeof createSocketServer>): Promise<string> {
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    server.close()
  })
  // A server that listens on a port has an address of this type.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A provider that notes what it gets. */
export async function startProvider(
  answer: (request: IncomingMessage, response: ServerResponse, body: string) => void,
): Promise<{ readonly url: string; readonly seen: SeenRequest[]; readonly server: Server }> {
  const seen: SeenRequest[] = []
  const server = createServer({ keepAliveTimeout: 60_000, maxHeaderSize: 65_536 }, async (request, response) => {
    const body = await bytesOf(request).then(
      (bytes) => bytes.toString('latin1'),
      () => undefined,
    )
    // A request that broke off has no answer.
    if (body === undefined) return
    const { method, url, rawHeaders: headers, rawTrailers: trailers } = request
    seen.push({ method, url, headers, body, trailers })
    // Two answers to be compared may be written in different seconds.
    response.sendDate = false
    answer(request, response, body)
  })
  server.maxHeadersCount = 0
  return { url: await listen(server), seen, server }
}

/** A provider that answers each connection with bytes of its own. */
export function startRawProvider(answer: (socket: Socket) => void): Promise<string> {
  return listen(
    createSocketServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => answer(socket))
    }),
  )
}

/** A proxy for one test. */
export async function startProxy(): Promise<ModelProxy> {
  const proxy = await startModelProxy()
  onTestFinished(() => proxy.close())
  return proxy
}

/** A proxy with one run. */
export async function openRun(options: RunOptions): Promise<ModelRun> {
  return (await startProxy()).open(options)
}

/** Sends a request on a connection of its own. Never rejects. */
export function send(url: string, sent: SentRequest = {}): Promise<SeenAnswer> {
  const { method = 'POST', headers = [], body = '', trailers, agent = false } = sent
  const { host } = new URL(url)
  const length =
    trailers === undefined
      ? ['Content-Length', String(Buffer.byteLength(body))]
      : ['Transfer-Encoding', 'chunked', 'Trailer', 'X-Sum']
  return new Promise((resolve) => {
    const all = ['Host', host, ...headers, ...(method === 'GET' ? [] : length)]
    const lost = (error: NodeJS.ErrnoException) =>
      resolve({ headers: [], body: Buffer.alloc(0), trailers: [], pieces: 0, end: error.code ?? error.message })
    const call = request(url, { method, headers: all, agent, maxHeaderSize: 65_536 }, (answer) => {
      const chunks: Buffer[] = []
      const done = (end: string) =>
        resolve({
          ...{ status: answer.statusCode ?? 0, message: answer.statusMessage ?? '', headers: answer.rawHeaders },
          ...{ body: Buffer.concat(chunks), trailers: answer.rawTrailers, pieces: chunks.length, end },
        })
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('end', () => done('whole'))
      answer.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    })
    call.maxHeadersCount = 0
    call.on('error', lost)
    if (trailers !== undefined) call.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]))
    call.end(body)
  })
}

const ofConnection = /^(connection|keep-alive|transfer-encoding|host)$/i

/** Headers without those of the connection, which each hop has its own of. */
export function carried(raw: readonly string[]): readonly string[] {
  return raw.filter((_, index) => !ofConnection.test(raw[index & ~1] ?? ''))
}

async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export const codes = (run: Pick<ModelRun, 'calls'>): string[] =>
  run.calls().flatMap(({ diagnostics }) => diagnostics.map(({ code }) => code))
