/** Folds messages into one row: chunks of streamed text, handshakes, and repeated lists. */
import type { Message, Trace } from './trace.ts'

export interface Fold {
  /** `text`: chunks of a text or tool call. `form`: protocol overhead. */
  readonly of: 'text' | 'form'
  readonly places: readonly number[]
  readonly title: string
  /** The joined text, truncated. */
  readonly label: string
}

const LONGEST = 200
const HANDSHAKE =
  /^(initialize|ping|server\/discover|logging\/setLevel|notifications\/.*|(run|step)_(started|finished))$/
const LISTING = /(\/list|^agent_card\/get|AuthenticatedExtendedCard)$/

/** Returns folds by index of their first message, within a phase. Messages at `apart` are not folded as overhead. */
export function foldsOf(
  trace: Trace,
  apart: ReadonlySet<number>,
  changes: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Fold> {
  const { messages } = trace
  const repeated = repeatedLists(trace)
  const keys = messages.map((message, place) => {
    if (message.part !== undefined) return `${message.actor} ${message.part}`
    const isForm = HANDSHAKE.test(message.surface) || repeated.has(place)
    return isForm && message.malformed === undefined && !apart.has(place) ? FORM : undefined
  })
  const folds = new Map<number, Fold>()
  for (let start = 0; start < messages.length; start++) {
    const key = keys[start]
    if (key === undefined) continue
    let end = start + 1
    while (end < messages.length && keys[end] === key && !changes.has(end) && messages[end]?.leftOut === undefined)
      end++
    if (end - start > 1) folds.set(start, foldOf(messages, start, end, repeated))
    start = end - 1
  }
  return folds
}

/** Key for protocol overhead. Keys for texts differ, because they start with the name of an actor. */
const FORM = ''

function foldOf(messages: readonly Message[], start: number, end: number, repeated: ReadonlySet<number>): Fold {
  const places = Array.from({ length: end - start }, (_, index) => start + index)
  const own = places.flatMap((place) => messages[place] ?? [])
  const [kind] = own[0]?.part?.split(' ') ?? []
  if (kind === undefined) {
    const kinds = places.map((place) => (repeated.has(place) ? 'repeated lists' : kindOf(messages[place])))
    return { of: 'form', places, title: [...new Set(kinds)].join(', '), label: '' }
  }
  const [name, ...rest] = kind === 'tool_call' ? own.map(({ label }) => label) : ['', ...own.map(({ label }) => label)]
  const label = `${name ?? ''} ${rest.join('')}`.replaceAll(/\s+/g, ' ').trim()
  return { of: 'text', places, title: kind.replaceAll('_', ' '), label: label.slice(0, LONGEST) }
}

function kindOf(message: Message | undefined): string {
  return message?.protocol === 'ag_ui' ? 'run events' : 'handshake'
}

/** Returns the indices of repeated list requests whose response did not change, and of these responses. */
function repeatedLists({ messages, lines }: Trace): ReadonlySet<number> {
  const responses = new Map<string, string>()
  const requests = new Map<string, number>()
  const repeated = new Set<number>()
  for (const [place, { actor, surface, session, response }] of messages.entries()) {
    if (!LISTING.test(surface)) continue
    const key = JSON.stringify([actor, surface])
    const request = JSON.stringify([actor, surface, session])
    if (response !== true) {
      requests.set(request, place)
      continue
    }
    const line = lines[place] ?? ''
    if (responses.get(key) === line) {
      repeated.add(place)
      const from = requests.get(request)
      if (from !== undefined) repeated.add(from)
    }
    responses.set(key, line)
  }
  return repeated
}
