/** Who may ask: the user's own browser, by the address that the command printed. */
import type { IncomingMessage } from 'node:http'
import { accessFault, isSameSecret, tokenFault } from '@joust/io'

/** What is decided about a request before anything else. */
type Admission =
  | { readonly as: 'known' }
  /** The printed address: from here on, a cookie identifies the browser. */
  | { readonly as: 'newcomer' }
  | { readonly as: 'refused'; readonly status: 401 | 403 | 421; readonly message: string }

/** The parameter of the printed address. */
export const TOKEN = 'token'

/** Cookies are shared by all ports of a host, so the name includes the port. */
export function cookieName(port: number): string {
  return `joust-studio-${port}`
}

export function admit(request: IncomingMessage, url: URL, token: string, port: number): Admission {
  const fault = accessFault(request.headers, '127.0.0.1', {})
  if (fault !== undefined) {
    return { as: 'refused', status: fault.header === 'host' ? 421 : 403, message: fault.message }
  }
  // The browser would send the cookie along for a page on another port of this machine. An address that is opened by
  // hand has `none`.
  const site = request.headers['sec-fetch-site']
  const isOpened = request.headers['sec-fetch-mode'] === 'navigate' && url.pathname === '/' && request.method === 'GET'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened)
    return { as: 'refused', status: 403, message: 'only pages of this server may ask' }
  const given = url.searchParams.get(TOKEN)
  if (url.pathname === '/' && given !== null && isSameSecret(given, token)) return { as: 'newcomer' }
  const kept = cookieOf(request, cookieName(port))
  if (kept !== undefined && isSameSecret(kept, token)) return { as: 'known' }
  if (tokenFault(request.headers, token) === undefined) return { as: 'known' }
  return { as: 'refused', status: 401, message: 'open the address that joust studio printed' }
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const found = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
  return found.find(([key]) => key === name)?.[1]
}
