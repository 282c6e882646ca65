/** Protects loopback servers against requests of web pages, such as DNS rebinding (MCP "security warning"). */
import { isLoopback } from '@joust/io'
import type { HttpRequest } from '../model/http.ts'

const ALL_INTERFACES = new Set(['0.0.0.0', '[::]'])

/** The reason to reject a request; undefined when it is allowed. */
export function pageRefusal({ headers }: Pick<HttpRequest, 'headers'>, origin: string): string | undefined {
  // The common case: the exact address.
  if (headers.origin === undefined && `http://${headers.host}` === origin) return undefined
  const listening = hostOf(origin) ?? ''
  const everywhere = ALL_INTERFACES.has(listening)
  const host = headers.host === undefined ? undefined : (hostOf(`http://${headers.host}`) ?? '')
  const isOurs = (name: string) => isLoopback(name) || name === listening
  if (host !== undefined && !everywhere && !isOurs(host)) return `the host ${headers.host} is not allowed`
  if (headers.origin === undefined) return undefined
  const from = hostOf(headers.origin) ?? ''
  const isAllowed = isOurs(from) || (everywhere && from === host)
  return isAllowed ? undefined : `the origin ${headers.origin} is not allowed`
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
