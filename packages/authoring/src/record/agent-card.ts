/** Relays agent cards. Replaces the agent's own origin in a card with the relay's URL, and changes nothing else. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { interfacesIn } from '@joust/arena/wire'
import { isLoopback } from '@joust/io'
import type { HeaderList } from '@joust/models'
import { readJson, type Value } from '@joust/source'
import { entryOf, type Peer } from './dialogue.ts'
import type { Tape } from './tape.ts'

interface CardPassage {
  readonly peer: Peer
  readonly tape: Tape
  readonly upstream: URL
  /** The URL of the relay. */
  readonly own: string
  readonly headers: (pairs: HeaderList) => HeaderList
  /** Called with each endpoint in the card that is not relayed, and thus not recorded. */
  readonly onElsewhere: (url: string) => void
}

/** Fetches a card, records it, and returns it with the relay's URL. Never rejects. */
export async function relayCard(
  passage: CardPassage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { peer, tape, upstream } = passage
  const about = { surface: 'agent_card/get' } as const
  tape.record({ ...entryOf(peer, 'caller'), ...about, direction: 'request', content: {} })
  try {
    const answer = await fetch(`${upstream.origin}${request.url ?? '/'}`, { headers: headersOf(passage, request) })
    const text = await answer.text()
    const card = readJson(text)
    const content = card.ok ? { content: card.value } : { content: text, malformed: 'not JSON' }
    tape.record({ ...entryOf(peer, 'callee'), ...about, direction: 'response', ...content })
    if (card.ok) for (const url of endpointsElsewhere(card.value, upstream)) passage.onElsewhere(url)
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(cardText(passage, text))
  } catch {
    // To the caller, the relay is as unreachable as the agent.
    response.socket?.destroy()
  }
}

/** Matches the origin of a URL. Slashes may be escaped in JSON. */
const ORIGIN = /https?:(?:\\?\/){2}[^\s"\\/?#]+/gi

function cardText({ upstream, own }: CardPassage, text: string): string {
  return text.replaceAll(ORIGIN, (origin) => (isSamePlace(origin.replaceAll('\\', ''), upstream) ? own : origin))
}

function endpointsElsewhere(card: Value, upstream: URL): string[] {
  return interfacesIn(card).flatMap(({ url }) =>
    typeof url === 'string' && URL.canParse(url) && !isSamePlace(url, upstream) ? [url] : [],
  )
}

/** True if both have the same origin, possibly under different names of this machine. */
function isSamePlace(text: string, upstream: URL): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.origin === upstream.origin) return url !== undefined
  const isHere = (host: string) => isLoopback(host) || host === '0.0.0.0' || host === '[::]'
  const areHere = isHere(url.hostname) && isHere(upstream.hostname)
  return areHere && url.protocol === upstream.protocol && url.port === upstream.port
}

/** Returns the request headers that may affect a card. */
function headersOf({ headers }: CardPassage, { headers: given }: IncomingMessage): Record<string, string> {
  const wanted = ['accept', 'authorization', 'a2a-version', 'a2a-extensions', 'x-api-key']
  const pairs = wanted.flatMap((name): [string, string][] => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(headers(pairs))
}
