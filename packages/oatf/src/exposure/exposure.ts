import { own, type Value, valueAt } from '@joust/source'
import type { Plants } from './bait.ts'
import { carriersIn } from './carriers.ts'
import { type Mark, type SentValues, valuesIn } from './marks.ts'
import { marksOf, type Planted } from './planted.ts'

/** The state of an exposure analysis: the planted items that were sent. */
export interface ExposureWatch {
  /** Records a message that an actor received. */
  came(actor: string, phase: string, surface: string, content: Value): void
  /** Records a message that an actor sent. Returns the items that this message completes. */
  sent(actor: string, phase: string, surface: string, content: Value): readonly Planted[]
  isDelivered(item: Planted): boolean
  /** Returns the attack texts in a delivered item, as they were sent (see `carriersIn`). */
  textsOf(item: Planted): readonly string[]
  /** True if the item was sent only with an empty template. */
  isEmpty(item: Planted): boolean
  /** True if the agent requested the owner of the item while the item was in effect. */
  isAsked(item: Planted): boolean
}

/** Starts tracking all planted items and their declared parts. */
export function watchExposure({ planted, baits }: Plants): ExposureWatch {
  const marks = new Map([...planted, ...baits.flatMap(({ items }) => items)].map((item) => [item, marksOf(item)]))
  /** The marks of each item that have not been sent yet. */
  const missing = new Map<Planted, readonly Mark[]>([...marks].filter(([, found]) => found.length > 0))
  const delivered = new Set<Planted>()
  const texts = new Map<Planted, Set<string>>()
  const empty = new Set<Planted>()
  const called = new Set<string>()
  const isAsked = ({ actor, owner = '', phases }: Planted) =>
    phases.some((phase) => called.has(JSON.stringify([actor, phase, owner])))
  /** A message contains only one server response, so it belongs to the candidate with the most fixed text. */
  const hasBetterMatch = ({ kind, role, ...item }: Planted, mark: Mark, phase: string, values: SentValues) => {
    if (kind !== 'answer' || role !== 'server') return false
    const rivals = planted.filter((one) => one.kind === kind && one.actor === item.actor && one.owner === item.owner)
    const others = rivals.filter(({ phases }) => phases.includes(phase)).flatMap((one) => marks.get(one) ?? [])
    return others.some((other) => other.weight > mark.weight && other.seenIn(values) !== 'no')
  }
  const isSeen = (item: Planted, mark: Mark, surface: string, phase: string, values: SentValues) => {
    const match = mark.seenIn(values)
    // A text that consists only of templates is recognized by the call that it responds to, if the call has a name.
    const isOther = mark.isOpen && item.owner !== undefined && CALLS.includes(surface) && !isAsked(item)
    if (match === 'no' || isOther || hasBetterMatch(item, mark, phase, values)) return false
    if (match === 'empty') empty.add(item)
    if (match === 'whole') texts.set(item, new Set([...(texts.get(item) ?? []), ...sentTexts(mark, values)]))
    return match === 'whole'
  }
  return {
    came(actor, phase, surface, content) {
      const name = CALLS.includes(surface) ? own(content, 'name') : surface.startsWith('message/') && ''
      if (typeof name === 'string') called.add(JSON.stringify([actor, phase, name]))
    },
    sent(actor, phase, surface, content) {
      const candidates = [...missing].filter(
        ([item]) => item.actor === actor && item.phases.includes(phase) && carries(surface, item),
      )
      if (candidates.length === 0) return []
      const values = valuesIn(content)
      const completed = candidates.filter(([item, found]) => {
        const remaining = found.filter((mark) => !isSeen(item, mark, surface, phase, values))
        missing.set(item, remaining)
        return remaining.length === 0
      })
      return completed.map(([item]) => {
        delivered.add(item)
        missing.delete(item)
        return item
      })
    },
    isDelivered: (item) => delivered.has(item),
    textsOf: (item) => [...(texts.get(item) ?? [])],
    isAsked,
    isEmpty: (item) => empty.has(item) && !delivered.has(item),
  }
}

function sentTexts(mark: Mark, values: SentValues): string[] {
  const pair = mark.pairIn(values)
  if (pair === undefined) return []
  return carriersIn(pair.written).flatMap(({ at }) => {
    const text = valueAt(pair.sent, at)
    return typeof text === 'string' ? [text] : []
  })
}

const CALLS: readonly string[] = ['tools/call', 'prompts/get']

/** Operations in which servers introduce themselves to any client. */
const GREETING = /^(initialize|server\/discover)$/

const LISTING =
  /^((tools|resources|resources\/templates|prompts)\/list|agent_card\/get|agent\/getAuthenticatedExtendedCard|file\/laid)$/

/** True for an operation that lists server entries, or writes a file. */
export function isListing(surface: string): boolean {
  return LISTING.test(surface)
}

/**
 * True if a message can contain the item. Listings and greetings are the only messages that contain a server's entries;
 * clients send everything in requests.
 */
function carries(surface: string, { role, kind }: Planted): boolean {
  if (kind === 'idle') return false
  if (role === 'client' && kind === 'answer') return surface !== 'run_agent_input'
  return role === 'client' || (isListing(surface) || GREETING.test(surface)) === (kind === 'listing')
}
