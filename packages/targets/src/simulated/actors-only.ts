/** HTTP requests by simulated hosts, which may only reach actors. */
import type { TargetArena } from '@joust/arena'
import { createHttpSend, fetchOver } from '@joust/arena/wire'
import { parseJson, type Value } from '@joust/source'

/** An HTTP response. Status 0 means that no request was sent, because the URL is not part of the run. */
export interface HostAnswer {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON, or the last event of a stream; null for anything else. */
  readonly value: Value
}

export type HostSend = (url: string, init?: RequestInit) => Promise<HostAnswer>

/** Creates a function that sends requests only to the run's server actors and does not follow redirects. */
export function actorsOnly({ servers, signal }: TargetArena): HostSend {
  // Each request uses a new connection, because another run may listen at the same port later.
  const request = fetchOver(createHttpSend())
  const origins = new Set(servers.map(({ address }) => new URL(address).origin))
  return async (url, init = {}) => {
    if (!URL.canParse(url) || !origins.has(new URL(url).origin))
      return { status: 0, headers: new Headers(), value: null }
    const response = await request(url, { signal, ...init })
    const text = await response.text()
    const event = text.split('\n').findLast((line) => line.startsWith('data:'))
    return { status: response.status, headers: response.headers, value: parseJson(event?.slice(5) ?? text) ?? null }
  }
}
