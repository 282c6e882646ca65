/**
 * Finds the endpoint of an A2A agent. A URL with a path, or the URL of another actor, is used as is. For a bare origin,
 * the endpoint is read from the agent card; a different host must be allowed by the caller.
 */
import { isLoopback } from '@joust/io'
import type { Value } from '@joust/source'
import type { HttpClientEnd } from '../../model/wiring.ts'
import { CARD_PATH, interfacesIn } from '../a2a/endpoints.ts'
import type { DriverContext } from '../driver.ts'

export interface Endpoint {
  readonly cardUrl: string
  /** Returns the request URL: the configured URL until the agent card is read. */
  url(): string
  /** True if requests go to a different origin than the configured origin; credentials are not sent to it. */
  isElsewhere(): boolean
  /** True for a bare origin until its agent card has been requested. */
  needsCard(): boolean
  /** Receives the agent card; undefined if none is available. */
  learn(card?: Value): void
}

/** Throws a `TypeError` for an invalid URL. */
export function createEndpoint(
  { stage, mayFollow }: DriverContext,
  { url: configured, isFinal }: Pick<HttpClientEnd, 'url' | 'isFinal'>,
): Endpoint {
  const base = new URL(configured)
  const isBare = isFinal !== true && base.pathname === '/' && base.search === ''
  let url = configured
  let learned = !isBare
  const follows = (to: URL): boolean => {
    if (isSamePlace(to, base)) return true
    const isNamed = mayFollow(to.href)
    if (isNamed) stage.report('endpoint-moved', `requests go to ${to.href} from the agent card, not to ${configured}`)
    else
      stage.report('host-not-allowed', `the agent card specifies ${to.href}, which is not allowed; using ${configured}`)
    return isNamed
  }
  return {
    cardUrl: new URL(CARD_PATH, base).href,
    url: () => url,
    isElsewhere: () => !isSamePlace(new URL(url), base),
    needsCard: () => !learned,
    learn(card) {
      learned = true
      if (!isBare || card === undefined) return
      const interfaces = interfacesIn(card)
      const rpc = interfaces.filter(({ transport }) => transport === 'JSONRPC')
      const named = rpc.map((one) => readUrl(one.url, base)).find((one) => one !== undefined)
      // The transport handles HTTP+JSON.
      if (named === undefined && !interfaces.some(({ transport }) => transport === 'HTTP+JSON'))
        stage.report('message-malformed', `the agent card has no URL for JSON-RPC; using ${configured}`)
      else if (named !== undefined && follows(named)) url = named.href
    },
  }
}

function isSamePlace(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true
  const areLoopback = isLoopback(one.hostname) && isLoopback(other.hostname)
  return areLoopback && one.protocol === other.protocol && one.port === other.port
}

function readUrl(place: Value | undefined, base: URL): URL | undefined {
  if (typeof place !== 'string' || !URL.canParse(place, base.href)) return undefined
  const url = new URL(place, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
