/** Agent cards through a relay: the only content that is changed, since a card names the address of its agent. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { HeaderList } from '@joust/models'
import { readJson } from '@joust/source'
import { entryOf, type Peer } from './dialogue.ts'
import type { Tape } from './tape.ts'

interface CardPassage {
  readonly peer: Peer
  readonly tape: Tape
  readonly upstream: URL
  /** The address of the relay. */
  readonly own: string
  readonly headers: (pairs: HeaderList) => HeaderList
}

/** Fetches a card, records it, and passes it on with the address of the relay. Never rejects. */
export async function relayCard(
  passage: CardPassage,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { peer, tape, upstream, own } = passage
  const about = { surface: 'agent_card/get' } as const
  tape.record({ ...entryOf(peer, 'caller'), ...about, direction: 'request', content: {} })
  try {
    const answer = await fetch(new URL(request.url ?? '/', upstream), { headers: headersOf(passage, request) })
    const text = await answer.text()
    const card = readJson(text)
    const content = card.ok ? { content: card.value } : { content: text, malformed: 'not JSON' }
    tape.record({ ...entryOf(peer, 'callee'), ...about, direction: 'response', ...content })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(text.replaceAll(upstream.origin, own))
  } catch {
    // As unreachable as the agent itself.
    response.socket?.destroy()
  }
}

/** The headers that a card may depend on. */
function headersOf({ headers }: CardPassage, { headers: given }: IncomingMessage): Record<string, string> {
  const wanted = ['accept', 'authorization', 'a2a-version', 'a2a-extensions', 'x-api-key']
  const pairs = wanted.flatMap((name): [string, string][] => {
    const value = given[name]
    return typeof value === 'string' ? [[name, value]] : []
  })
  return Object.fromEntries(headers(pairs))
}
