/** Where an agent says, in its card, that it speaks something else than JSON-RPC of 0.3. */
import { isList, isRecord, own, type Value, type ValueRecord } from '@joust/source'

/** A place and what is spoken there. */
export interface Place {
  readonly url: string
  readonly isRest: boolean
  /** 0.3, which only HTTP+JSON needs a translation of. */
  readonly isOld: boolean
}

/** The best of them, at the host that the caller has named; undefined where the card names none. */
export function placeIn(card: Value, url: string): Place | undefined {
  if (!isRecord(card)) return undefined
  const { protocolVersion = '0.3' } = card
  const own03 = { url: own(card, 'url') ?? '', transport: own(card, 'preferredTransport') ?? '' }
  const places = [
    ...entries(card, 'supportedInterfaces').map((one) =>
      read(one, 'protocolBinding', own(one, 'protocolVersion'), url),
    ),
    ...[own03, ...entries(card, 'additionalInterfaces')].map((one) => read(one, 'transport', protocolVersion, url)),
  ].filter((place) => place !== undefined)
  return places.find(({ isRest }) => !isRest) ?? places.find(({ isOld }) => !isOld) ?? places[0]
}

function read(one: ValueRecord, key: string, version: Value | undefined, url: string): Place | undefined {
  const [transport, at] = [own(one, key), own(one, 'url')]
  const isRest = transport === 'HTTP+JSON'
  const isOld = !String(version).startsWith('1.')
  if ((!isRest && (transport !== 'JSONRPC' || isOld)) || typeof at !== 'string' || !URL.canParse(at, url))
    return undefined
  const place = new URL(at, url)
  return place.host === new URL(url).host ? { url: place.href, isRest, isOld } : undefined
}

function entries(card: ValueRecord, key: string): readonly ValueRecord[] {
  const list = own(card, key)
  return isList(list) ? list.filter(isRecord) : []
}
