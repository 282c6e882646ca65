/** Access control: admits only the browser that opened the printed URL. */
import type { IncomingMessage } from 'node:http'
import { checkAccess, checkToken, isSameSecret } from '@joust/io'

type Admission =
  | { readonly as: 'admitted' }
  /** The printed URL was opened. From then on, the browser is identified by a cookie. */
  | { readonly as: 'login' }
  | { readonly as: 'refused'; readonly status: 401 | 403 | 421; readonly message: string }

/** Query parameter in the printed URL that contains the token. */
export const TOKEN = 'token'

/** Returns the name of the cookie. It includes the port, because all ports of a host share cookies. */
export function cookieName(port: number): string {
  return `joust-studio-${port}`
}

export function admit(request: IncomingMessage, url: URL, token: string, port: number): Admission {
  const access = checkAccess(request.headers, '127.0.0.1')
  if (!access.ok) {
    const { header, message } = access.error
    return { as: 'refused', status: header === 'host' ? 421 : 403, message }
  }
  // The browser also sends the cookie for requests from a page on another port of this machine. If the user enters the
  // URL, the header is `none`.
  const site = request.headers['sec-fetch-site']
  const isOpened = request.headers['sec-fetch-mode'] === 'navigate' && url.pathname === '/' && request.method === 'GET'
  if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isOpened)
    return { as: 'refused', status: 403, message: 'cross-site requests are not allowed' }
  const secret = url.searchParams.get(TOKEN)
  if (url.pathname === '/' && secret !== null && isSameSecret(secret, token)) return { as: 'login' }
  const cookie = cookieOf(request, cookieName(port))
  if (cookie !== undefined && isSameSecret(cookie, token)) return { as: 'admitted' }
  if (checkToken(request.headers, token).ok) return { as: 'admitted' }
  return { as: 'refused', status: 401, message: 'missing token: open the URL that joust studio printed' }
}

function cookieOf({ headers }: IncomingMessage, name: string): string | undefined {
  const cookies = (headers.cookie ?? '').split(';').map((part) => part.trim().split('='))
  return cookies.find(([key]) => key === name)?.[1]
}
