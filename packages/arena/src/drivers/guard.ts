/** Keeps web pages out: a server on loopback refuses what a browser was tricked into (MCP "security warning"). */
import { isLoopback } from '@joust/io'
import type { HttpRequest } from '../model/http.ts'

const EVERYWHERE = new Set(['0.0.0.0', '[::]'])

/** Why a request must not be answered; undefined when it may be. */
export function pageRefusal({ headers }: Pick<HttpRequest, 'headers'>, origin: string): string | undefined {
  // What nearly every client sends: the address exactly as it was given out.
  if (headers.origin === undefined && `http://${headers.host}` === origin) return undefined
  const listening = hostOf(origin) ?? ''
  const everywhere = EVERYWHERE.has(listening)
  const host = headers.host === undefined ? undefined : (hostOf(`http://${headers.host}`) ?? '')
  const isOurs = (name: string) => isLoopback(name) || name === listening
  if (host !== undefined && !everywhere && !isOurs(host)) return `the host ${headers.host} is not served here`
  if (headers.origin === undefined) return undefined
  const from = hostOf(headers.origin) ?? ''
  const isAllowed = isOurs(from) || (everywhere && from === host)
  return isAllowed ? undefined : `requests from the origin ${headers.origin} are not answered`
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
