/** HTTP requests over sockets. Redirects are not followed, and there are no time limits. */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { ArenaError } from '../model/errors.ts'
import type { HttpAnswer, HttpCall, HttpSend } from '../model/http.ts'
import { byteChannel } from './channel.ts'
import { environmentError, headersOf, pumpBody } from './streams.ts'

/**
 * Creates a transport that opens a connection per request. Adds `host`, `connection: close` and, with a body,
 * `content-length` to the headers. The connection stays open until the body was read or abandoned, or the signal fires.
 */
export function createHttpSend(): HttpSend {
  return async (call) => {
    if (call.signal.aborted) throw stopped(call.url)
    if (!URL.canParse(call.url)) throw new ArenaError('connect_failed', `not a URL: ${JSON.stringify(call.url)}`)
    const url = new URL(call.url)
    const begin = begins.get(url.protocol)
    if (begin === undefined)
      throw new ArenaError('connect_failed', `cannot connect to ${call.url}: only http and https are supported`)
    return exchange(begin, call, url)
  }
}

type Begin = typeof requestHttp | typeof requestHttps

const begins = new Map<string, Begin>([
  ['http:', requestHttp],
  ['https:', requestHttps],
])

function exchange(begin: Begin, call: HttpCall, url: URL): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const place = placeOf(url)
    let request: ClientRequest
    try {
      request = begin(url, { method: call.method, headers: headersFor(call), agent: false })
    } catch (thrown) {
      return reject(environmentError('connect_failed', `cannot send ${call.method} to ${place}`, thrown))
    }
    const body = byteChannel(() => request.destroy())
    let connected = false
    let answered = false
    const stop = () => {
      const error = stopped(place)
      body.cancel(error)
      reject(error)
      request.destroy()
    }
    const release = () => call.signal.removeEventListener('abort', stop)
    call.signal.addEventListener('abort', stop)
    request.on('socket', (socket) =>
      socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => {
        connected = true
      }),
    )
    request.once('response', (response: IncomingMessage) => {
      answered = true
      resolve({ status: response.statusCode ?? 0, headers: headersOf(response), body: body.items })
      void pumpBody(response, body, place).then(release)
    })
    // Not removed, since a socket may fail again after the response.
    request.on('error', (error) => {
      if (connected) reject(environmentError('connection_lost', `no response from ${place}`, error))
      else reject(environmentError('connect_failed', `cannot connect to ${place}`, error))
    })
    request.once('upgrade', (_response, socket) => socket.destroy())
    request.once('close', () => {
      release()
      if (!answered) reject(new ArenaError('connection_lost', `${place} closed the connection without a response`))
    })
    request.end(call.body)
  })
}

function headersFor({ headers, body }: HttpCall): Record<string, string | number> {
  const length = body === undefined ? undefined : Buffer.byteLength(body)
  return { ...(length === undefined ? {} : { 'content-length': length }), ...headers }
}

function placeOf(url: URL): string {
  return url.port === '' ? `${url.host}:${url.protocol === 'https:' ? 443 : 80}` : url.host
}

function stopped(place: string): ArenaError {
  return new ArenaError('stopped', `request to ${place} was aborted`)
}
