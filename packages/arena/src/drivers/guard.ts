/** Protects loopback servers against requests from web pages, including DNS rebinding (MCP "security warning"). */
import { isLoopback } from '@joust/io'
import { err, ok, type Result } from '@joust/source'
import type { HttpRequest } from '../model/http.ts'

const ALL_INTERFACES = new Set(['0.0.0.0', '[::]'])

/** Rejects requests from web pages of other origins; the error is the reason. */
export function checkPage({ headers }: Pick<HttpRequest, 'headers'>, origin: string): Result<void, string> {
  // Fast path for the exact address.
  if (headers.origin === undefined && `http://${headers.host}` === origin) return ok(undefined)
  const listening = hostOf(origin) ?? ''
  const everywhere = ALL_INTERFACES.has(listening)
  const host = headers.host === undefined ? undefined : (hostOf(`http://${headers.host}`) ?? '')
  const isOurs = (name: string) => isLoopback(name) || name === listening
  if (host !== undefined && !everywhere && !isOurs(host)) return err(`the host ${headers.host} is not allowed`)
  if (headers.origin === undefined) return ok(undefined)
  const from = hostOf(headers.origin) ?? ''
  const isAllowed = isOurs(from) || (everywhere && from === host)
  return isAllowed ? ok(undefined) : err(`the origin ${headers.origin} is not allowed`)
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).hostname : undefined
}
