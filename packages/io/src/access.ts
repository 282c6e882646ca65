/**
 * Access control for HTTP requests: checks `Host` against DNS rebinding, `Origin` against other web pages, and a token.
 */
import { timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import { sha256 } from './bytes.ts'

/** Hosts and origins allowed in addition to the server's own. */
export interface AccessOptions {
  /** Additional `Host` values, without a port. @default [] */
  readonly allowedHosts?: readonly string[]
  /** Allowed `Origin` values, for example `https://example.com`. @default [] */
  readonly allowedOrigins?: readonly string[]
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** True for `localhost` or a loopback address. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.includes(bracketed(host)) || (isIP(host) === 4 && host.startsWith('127.'))
}

/** Like `Result` from `@joust/source`, which this package does not import. */
type Checked<E> = { readonly ok: true; readonly value: undefined } | { readonly ok: false; readonly error: E }

const allowed = { ok: true, value: undefined } as const

interface Refusal {
  readonly header: 'host' | 'origin'
  readonly message: string
}

/** Checks the `Host` and `Origin` of a request to a server that listens on `bound`. */
export function checkAccess(
  headers: IncomingHttpHeaders,
  bound: string,
  options: AccessOptions = {},
): Checked<Refusal> {
  const host = addressOf(headers.host ?? '')
  if (host === undefined || !hostAllowed(host.hostname, bound, options.allowedHosts ?? [])) {
    return {
      ok: false,
      error: { header: 'host', message: `the host ${JSON.stringify(headers.host ?? '')} is not allowed` },
    }
  }
  const { origin } = headers
  if (origin === undefined || listedOrigin(origin, options) !== undefined) return allowed
  // Pages from this server are allowed.
  const same = URL.canParse(origin) && new URL(origin).origin !== 'null' && new URL(origin).host === host.host
  if (same) return allowed
  return { ok: false, error: { header: 'origin', message: `the origin ${JSON.stringify(origin)} is not allowed` } }
}

/** Checks a request's bearer token. If no token is configured, every request is allowed. */
export function checkToken(headers: IncomingHttpHeaders, token: string | undefined): Checked<string> {
  if (token === undefined) return allowed
  const [, credentials] = /^bearer +(.+)$/i.exec(headers.authorization ?? '') ?? []
  if (credentials !== undefined && isSameSecret(credentials, token)) return allowed
  return { ok: false, error: 'missing or wrong token; expected Authorization: Bearer TOKEN' }
}

/** Compares two secrets in constant time. Uses their digests, which always have the same length. */
export function isSameSecret(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(a)), Buffer.from(sha256(b)))
}

/** Returns the origin if it is listed in `allowedOrigins`, for the CORS response header. */
export function listedOrigin(origin: string | undefined, { allowedOrigins }: AccessOptions): string | undefined {
  return origin !== undefined && allowedOrigins?.includes(origin) === true ? origin : undefined
}

/** Formats a host for a URL, with brackets around an IPv6 address. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase()
}

function addressOf(header: string): URL | undefined {
  const text = `http://${header}`
  if (header === '' || !URL.canParse(text)) return undefined
  const url = new URL(text)
  // The header must not contain a user, path or query.
  return url.href === `${url.origin}/` && !header.includes('/') ? url : undefined
}

/** True for an allowed host. Beyond loopback, any IP address is allowed, because DNS rebinding needs a host name. */
function hostAllowed(hostname: string, bound: string, allowed: readonly string[]): boolean {
  if ([...LOOPBACK, ...[bound, ...allowed].map(bracketed)].includes(hostname)) return true
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return !isLoopback(bound) && isIP(address) !== 0
}
