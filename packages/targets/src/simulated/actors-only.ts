/** HTTP requests of simulated hosts. */
import type { TargetArena } from '@joust/arena'
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

/** Requests to the server actors of a run, and to no other address. */
export function actorsOnly({ servers, signal }: TargetArena): HostSend {
  const origins = new Set(servers.map(({ address }) => new URL(address).origin))
  return async (url, init = {}) => {
    if (!URL.canParse(url) || !origins.has(new URL(url).origin))
      return { status: 0, headers: new Headers(), value: null }
    const { status, headers, ...answer } = await readAnswer(url, { redirect: 'manual', signal, ...init })
    return { status, headers, ...answer }
  }
}

async function readAnswer(url: string, init: RequestInit): Promise<HostAnswer> {
  const response = await fetch(url, init)
  const text = await response.text()
  const event = text.split('\n').findLast((line) => line.startsWith('data:'))
  return { status: response.status, headers: response.headers, value: parseJson(event?.slice(5) ?? text) ?? null }
}
