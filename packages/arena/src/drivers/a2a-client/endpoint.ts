/**
 * Where a client sends its requests: a URL with a path is the place itself, and so is another actor; behind a bare
 * origin, a card names the place. A card that leads elsewhere is followed only to hosts that the caller has named.
 */
import { isLoopback } from '@joust/io'
import type { Value } from '@joust/source'
import type { HttpClientEnd } from '../../model/wiring.ts'
import { CARD_PATH, interfacesIn } from '../a2a/places.ts'
import type { DriverContext } from '../driver.ts'

/** The addresses of an agent. */
export interface Endpoint {
  readonly cardUrl: string
  /** Where requests go, as far as is known. */
  url(): string
  /** Whether that is another origin than the one given: then it gets nothing that was meant for that one. */
  isElsewhere(): boolean
  /** Whether only a card can tell. False once a card has been asked for. */
  needsCard(): boolean
  /** Takes note of the card, or that none was available. */
  learn(card?: Value): void
}

/** The endpoint behind a URL; throws what `URL` does when it is not valid. */
export function createEndpoint(
  { stage, mayFollow }: DriverContext,
  { url: given, isFinal }: Pick<HttpClientEnd, 'url' | 'isFinal'>,
): Endpoint {
  const base = new URL(given)
  const isBare = isFinal !== true && base.pathname === '/' && base.search === ''
  let url = given
  let learned = !isBare
  const mayGo = (to: URL): boolean => {
    if (isSamePlace(to, base)) return true
    const isNamed = mayFollow(to.href)
    if (isNamed) stage.report('endpoint-moved', `the agent card names ${to.href}: requests go there, not to ${given}`)
    else stage.report('host-not-allowed', `the agent card names ${to.href}, which is not allowed: ${given} is used`)
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
      const named = rpcUrl(card, base)
      if (named === undefined && !namesRest(card))
        stage.report('message-malformed', `the agent card names no URL for JSON-RPC: ${given} is used`)
      else if (named !== undefined && mayGo(named)) url = named.href
    },
  }
}

/** The same origin, or this machine by another of its names. */
function isSamePlace(one: URL, other: URL): boolean {
  if (one.origin === other.origin) return true
  const areLoopback = isLoopback(one.hostname) && isLoopback(other.hostname)
  return areLoopback && one.protocol === other.protocol && one.port === other.port
}

/** The address for JSON-RPC that a card names: its own, or that of an interface beside it. */
function rpcUrl(card: Value, base: URL): URL | undefined {
  const places = interfacesIn(card).filter(({ transport }) => transport === 'JSONRPC')
  return places.map(({ url }) => readUrl(url, base)).find((url) => url !== undefined)
}

/** Whether it has HTTP+JSON instead, which is up to whoever sends the requests. */
function namesRest(card: Value): boolean {
  return interfacesIn(card).some(({ transport }) => transport === 'HTTP+JSON')
}

function readUrl(place: Value | undefined, base: URL): URL | undefined {
  if (typeof place !== 'string' || !URL.canParse(place, base.href)) return undefined
  const url = new URL(place, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
