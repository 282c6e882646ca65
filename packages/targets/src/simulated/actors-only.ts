/** HTTP requests of simulated hosts. */
import type { TargetArena } from '@joust/arena'
import { createHttpSend, fetchOver } from '@joust/arena/wire'
import { parseJson, type Value } from '@joust/source'

/** The answer to a request; status 0 if none was sent, because its address is not one of the run. */
export interface HostAnswer {
  readonly status: number
  readonly headers: Headers
  /** The JSON of the body, or of the last event of a stream; null for anything else. */
  readonly value: Value
}

/** Sends a request. Redirects are not followed. */
export type HostSend = (url: string, init?: RequestInit) => Promise<HostAnswer>

/** Sends requests to the server actors of a run only. */
export function actorsOnly({ servers, signal }: TargetArena): HostSend {
  // A connection of its own for each request: another run may listen at the same port later.
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
