/** Selects the headers to forward or to record. */
import type { IncomingMessage } from 'node:http'
import type { HeaderList } from '../model/call.ts'

/** Hop-by-hop headers (RFC 9110 §7.6.1), and those that this server handles itself. */
const hopByHop: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'proxy-authenticate', 'proxy-authorization'],
  ...['te', 'transfer-encoding', 'upgrade', 'expect'],
])

/** Converts Node's flat header list into pairs. */
export function pairsOf(raw: readonly string[]): HeaderList {
  return Array.from({ length: raw.length >> 1 }, (_, index) => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''])
}

/** Returns the headers to forward, with order, case and duplicates unchanged. */
export function forwarded({ rawHeaders, headers }: IncomingMessage): HeaderList {
  const named = new Set((headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  const isChunked = headers['transfer-encoding'] !== undefined
  return pairsOf(rawHeaders).filter(([name]) => {
    const lower = name.toLowerCase()
    // Only a chunked message has trailers; Node refuses to announce them elsewhere.
    return !hopByHop.has(lower) && !named.has(lower) && (lower !== 'trailer' || isChunked)
  })
}

/** Names of headers that contain keys, passwords or sessions. */
const secretName = /^(?:.*authorization|.*cookie|.*api-?key|.*-token|.*secret.*|.*password.*)$/i
const SECRET_QUERY = /([?&](?:key|api[-_]?key|access_token|token)=)([^&#]*)/gi
/** Shorter values also occur inside ordinary words. */
const SHORTEST_SECRET = 8
const HIDDEN = '[hidden]'

/** Removes headers that contain keys. */
export function keptHeaders(headers: HeaderList): HeaderList {
  return headers.filter(([name]) => !secretName.test(name))
}

/** Removes keys from the query of a path. */
export function keptPath(path: string): string {
  return path.replaceAll(SECRET_QUERY, `$1${HIDDEN}`)
}

function decoded(value: string): string {
  return new URLSearchParams(`key=${value}`).get('key') ?? value
}

/** Creates a function that redacts the keys of a request, because some providers repeat a rejected key. */
export function secretHider(headers: HeaderList, path: string): (text: string) => string {
  const inHeaders = headers.filter(([name]) => secretName.test(name)).map(([, value]) => value.replace(/^\w+ +/, ''))
  const inQuery = [...path.matchAll(SECRET_QUERY)].flatMap(([, , value = '']) => [value, decoded(value)])
  const secrets = [...inHeaders, ...inQuery].filter(({ length }) => length >= SHORTEST_SECRET)
  return (text) => secrets.reduce((hidden, secret) => hidden.replaceAll(secret, HIDDEN), text)
}
