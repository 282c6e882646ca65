/** Which addresses a document may reach on its own: loopback, and what the caller named. */
import { isLoopback } from '@joust/io'

/** Whether an address is allowed. Names are compared as they are written: nothing is resolved. */
export function isAllowedHost(url: string, allowed: readonly string[] = []): boolean {
  return isNamedHost(url, allowed) || (isHttp(url) && isLoopback(new URL(url).hostname))
}

/** Whether the caller has named the host of an address: loopback alone is not enough. */
export function isNamedHost(url: string, allowed: readonly string[] = []): boolean {
  if (!isHttp(url)) return false
  const { protocol, hostname, host, port } = new URL(url)
  const withPort = port === '' ? `${host}:${protocol === 'https:' ? 443 : 80}` : host
  return allowed.some((entry) => [hostname, host, withPort].includes(entry.toLowerCase()))
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}
