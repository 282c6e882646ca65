/** Who may ask: `Host` against DNS rebinding, `Origin` against foreign web pages, and a token. */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { sha256 } from './bytes.ts'

/** What a host allows beyond its own address. */
export interface AccessOptions {
  /** More names that `Host` may have, without a port. */
  readonly allowedHosts?: readonly string[]
  /** Web pages that may ask, as `Origin` spells them: `https://example.com`. */
  readonly allowedOrigins?: readonly string[]
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** Whether an address is reached from this machine only. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracketed(host)) || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Why a request is refused, and for which header; undefined when it is not. */
export function accessFault(
  headers: IncomingHttpHeaders,
  bound: string,
  options: AccessOptions,
): { readonly header: 'host' | 'origin'; readonly message: string } | undefined {
  const host = addressOf(headers.host ?? '')
  if (host === undefined || !hostAllowed(host.hostname, bound, options.allowedHosts ?? [])) {
    return { header: 'host', message: `the host ${JSON.stringify(headers.host ?? '')} is not served here` }
  }
  const { origin } = headers
  if (origin === undefined || listedOrigin(origin, options) !== undefined) return undefined
  // A page from this very server.
  const same = URL.canParse(origin) && new URL(origin).origin !== 'null' && new URL(origin).host === host.host
  return same ? undefined : { header: 'origin', message: `the origin ${JSON.stringify(origin)} is not allowed` }
}

/** Why a request without the right token is refused; undefined when none is asked for. */
export function tokenFault(headers: IncomingHttpHeaders, token: string | undefined): string | undefined {
  if (token === undefined) return undefined
  const [, given] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  if (given !== undefined && isSameSecret(given, token)) return undefined
  return 'a token is required here: Authorization: Bearer TOKEN'
}

/**
 * Whether two texts are the same, in constant time: their digests have the same length, and comparing those always
 * takes the same time.
 */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
}

/** The origin when it is one of those that the host lists, to be echoed to the browser. */
export function listedOrigin(origin: string | undefined, { allowedOrigins }: AccessOptions): string | undefined {
  return origin !== undefined && allowedOrigins?.includes(origin) === true ? origin : undefined
}

/** An address with brackets where a URL needs them. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase()
}

function addressOf(header: string): URL | undefined {
  const text = `http://${header}`
  if (header === '' || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // Nothing but a name and a port: no user, no path, no query.
  return url.href === `${url.origin}/` && !header.includes('/') ? url : undefined
}

/** Beyond the loopback interface any IP address will do: rebinding needs a name. */
function hostAllowed(hostname: string, bound: string, allowed: readonly string[]): boolean {
  if ([...LOOPBACK, ...[bound, ...allowed].map(bracketed)].includes(hostname)) return true
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return !isLoopback(bound) && isIP(address) !== 0
}
