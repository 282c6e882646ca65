/** Where a client sends its requests: a URL with a path is the place itself, a bare origin has a card that names it. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'
import { isLoopback } from '../../model/hosts.ts'
import { CARD_PATH } from '../a2a/well-known.ts'
import type { DriverContext } from '../driver.ts'

/** The addresses of an agent. */
export interface Endpoint {
  readonly cardUrl: string
  /** Where requests go, as far as is known. */
  url(): string
  /** Whether that is another origin than the one that was given: then it gets nothing that was meant for that one. */
  isElsewhere(): boolean
  /** Whether only a card can tell. False once there was an attempt to get one. */
  needsCard(): boolean
  /** Takes note of the card, or that there was none to be had. */
  learn(card?: Value): void
}

/** The endpoint behind a URL; throws what `URL` does when it is none. */
export function createEndpoint({ stage, mayReach }: DriverContext, given: string): Endpoint {
  const base = new URL(given)
  const isBare = base.pathname === '/' && base.search === ''
  let url = given
  let learned = !isBare
  const mayGo = (to: URL): boolean => {
    if (to.origin === base.origin) return true
    // What is open to a document on this machine is not open to an agent on another one.
    if (!isLoopback(to.hostname) || isLoopback(base.hostname)) return mayReach(to.href)
    stage.report('host-not-allowed', `the agent card names ${to.href}, on this machine: ${given} is used`)
    return false
  }
  return {
    cardUrl: new URL(CARD_PATH, base).href,
    url: () => url,
    isElsewhere: () => new URL(url).origin !== base.origin,
    needsCard: () => !learned,
    learn(card) {
      learned = true
      if (!isBare || card === undefined) return
      const named = rpcUrl(card, base)
      if (named === undefined)
        stage.report('message-malformed', `the agent card names no URL for JSON-RPC: ${given} is used`)
      else if (mayGo(named)) url = named.href
    },
  }
}

/** The place for JSON-RPC that a card names: its own, or that of an interface beside it. */
function rpcUrl(card: Value, base: URL): URL | undefined {
  if (!isRecord(card)) return undefined
  const transport = own(card, 'preferredTransport') ?? 'JSONRPC'
  const places = [
    ...(transport === 'JSONRPC' ? [own(card, 'url')] : []),
    ...interfaces(card, 'additionalInterfaces', 'transport'),
    // Cards of A2A 1.0 have nothing else.
    ...interfaces(card, 'supportedInterfaces', 'protocolBinding'),
  ]
  return places.map((place) => readUrl(place, base)).find((url) => url !== undefined)
}

function interfaces(card: ValueRecord, key: string, transport: string): readonly (Value | undefined)[] {
  const list = own(card, key)
  if (!isList(list)) return []
  return list.flatMap((item) => (isRecord(item) && own(item, transport) === 'JSONRPC' ? [own(item, 'url')] : []))
}

function readUrl(place: Value | undefined, base: URL): URL | undefined {
  if (typeof place !== 'string' || !URL.canParse(place, base.href)) return undefined
  const url = new URL(place, base)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
