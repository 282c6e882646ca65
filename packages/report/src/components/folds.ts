/** Messages that are shown as one row: the pieces of a text, and greetings and listings that say nothing new. */
import type { Message, Trace } from './trace.ts'

export interface Fold {
  /** Pieces of a text or call, or mere formalities. */
  readonly of: 'text' | 'form'
  readonly places: readonly number[]
  readonly title: string
  /** The text that the pieces make, as far as there is room in a row. */
  readonly label: string
}

const LONGEST = 200
const GREETING =
  /^(initialize|ping|server\/discover|logging\/setLevel|notifications\/.*|(run|step)_(started|finished))$/
const LISTING = /(\/list|^agent_card\/get|AuthenticatedExtendedCard)$/

/**
 * The folds by the place of their first message; messages at `apart` are in no fold of formalities, and no fold crosses
 * a change of phase.
 */
export function foldsOf(
  trace: Trace,
  apart: ReadonlySet<number>,
  changes: ReadonlyMap<number, unknown>,
): ReadonlyMap<number, Fold> {
  const { messages } = trace
  const repeated = repeatedLists(trace)
  const keys = messages.map((message, place) => {
    if (message.part !== undefined) return `${message.actor} ${message.part}`
    const isForm = GREETING.test(message.surface) || repeated.has(place)
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

/** Unlike the key of any text: those begin with the name of an actor. */
const FORM = ''

function foldOf(messages: readonly Message[], start: number, end: number, repeated: ReadonlySet<number>): Fold {
  const places = Array.from({ length: end - start }, (_, index) => start + index)
  const own = places.flatMap((place) => messages[place] ?? [])
  const [kind] = own[0]?.part?.split(' ') ?? []
  if (kind === undefined) {
    const kinds = places.map((place) => (repeated.has(place) ? 'same lists again' : kindOf(messages[place])))
    return { of: 'form', places, title: [...new Set(kinds)].join(', '), label: '' }
  }
  const [name, ...rest] = kind === 'tool_call' ? own.map(({ label }) => label) : ['', ...own.map(({ label }) => label)]
  const label = `${name ?? ''} ${rest.join('')}`.replaceAll(/\s+/g, ' ').trim()
  return { of: 'text', places, title: kind.replaceAll('_', ' '), label: label.slice(0, LONGEST) }
}

function kindOf(message: Message | undefined): string {
  return message?.protocol === 'ag_ui' ? 'run events' : 'handshake'
}

/** Requests for lists whose answer is the same as last time, with those answers. */
function repeatedLists({ messages, lines }: Trace): ReadonlySet<number> {
  const answers = new Map<string, string>()
  const asked = new Map<string, number>()
  const repeated = new Set<number>()
  for (const [place, { actor, surface, session, response }] of messages.entries()) {
    if (!LISTING.test(surface)) continue
    const key = JSON.stringify([actor, surface])
    const request = JSON.stringify([actor, surface, session])
    if (response !== true) {
      asked.set(request, place)
      continue
    }
    const line = lines[place] ?? ''
    if (answers.get(key) === line) {
      repeated.add(place)
      const from = asked.get(request)
      if (from !== undefined) repeated.add(from)
    }
    answers.set(key, line)
  }
  return repeated
}
