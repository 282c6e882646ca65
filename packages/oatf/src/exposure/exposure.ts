/** Which of the attacker's texts were sent, judged by the messages that actors sent. */
import { own, type Value } from '@joust/source'
import type { Plants } from './bait.ts'
import { type Mark, type SentValues, valuesIn } from './marks.ts'
import { marksOf, type Planted } from './planted.ts'

/** Watches what is sent. */
export interface ExposureWatch {
  /** Notes a message that an actor received, in a phase, on a surface. */
  came(actor: string, phase: string, surface: string, content: Value): void
  /** Notes a message that an actor sent, in a phase, on a surface; returns the texts that it completes. */
  sent(actor: string, phase: string, surface: string, content: Value): readonly Planted[]
  isDelivered(item: Planted): boolean
  /** Whether it was sent only with a template in it that stood for nothing. */
  isEmpty(item: Planted): boolean
  /** Whether the agent asked for what it belongs to, while it was in force. */
  isAsked(item: Planted): boolean
}

/** Begins to watch for everything that is planted, and for the named parts of it. */
export function watchExposure({ planted, baits }: Plants): ExposureWatch {
  const marks = new Map([...planted, ...baits.flatMap(({ items }) => items)].map((item) => [item, marksOf(item)]))
  /** What has not been seen yet of each thing. */
  const missing = new Map<Planted, readonly Mark[]>([...marks].filter(([, found]) => found.length > 0))
  const delivered = new Set<Planted>()
  const empty = new Set<Planted>()
  const called = new Set<string>()
  const isAsked = ({ actor, owner = '', phases }: Planted) =>
    phases.some((phase) => called.has(JSON.stringify([actor, phase, owner])))
  /** A message is one answer of a server: of those that it may be, the one that leaves least to templates. */
  const isRivalled = ({ kind, role, ...item }: Planted, mark: Mark, phase: string, values: SentValues) => {
    if (kind !== 'answer' || role !== 'server') return false
    const rivals = planted.filter((one) => one.kind === kind && one.actor === item.actor && one.owner === item.owner)
    const others = rivals.filter(({ phases }) => phases.includes(phase)).flatMap((one) => marks.get(one) ?? [])
    return others.some((other) => other.weight > mark.weight && other.seenIn(values) !== 'no')
  }
  const isSeen = (item: Planted, mark: Mark, surface: string, phase: string, values: SentValues) => {
    const seen = mark.seenIn(values)
    // A text made only of templates is recognized by the call that it answers, where that call names something.
    const isOther = mark.isOpen && item.owner !== undefined && CALLS.includes(surface) && !isAsked(item)
    if (seen === 'no' || isOther || isRivalled(item, mark, phase, values)) return false
    if (seen === 'empty') empty.add(item)
    return seen === 'whole'
  }
  return {
    came(actor, phase, surface, content) {
      const name = CALLS.includes(surface) ? own(content, 'name') : surface.startsWith('message/') && ''
      if (typeof name === 'string') called.add(JSON.stringify([actor, phase, name]))
    },
    sent(actor, phase, surface, content) {
      const wanted = [...missing].filter(
        ([item]) => item.actor === actor && item.phases.includes(phase) && carries(surface, item),
      )
      if (wanted.length === 0) return []
      const values = valuesIn(content)
      const completed = wanted.filter(([item, found]) => {
        const left = found.filter((mark) => !isSeen(item, mark, surface, phase, values))
        missing.set(item, left)
        return left.length === 0
      })
      return completed.map(([item]) => {
        delivered.add(item)
        missing.delete(item)
        return item
      })
    },
    isDelivered: (item) => delivered.has(item),
    isAsked,
    isEmpty: (item) => empty.has(item) && !delivered.has(item),
  }
}

/** Requests that name what they want. */
const CALLS: readonly string[] = ['tools/call', 'prompts/get']

/** Where servers say who they are, to anyone who connects. */
const GREETING = /^(initialize|server\/discover)$/

const LISTING =
  /^((tools|resources|resources\/templates|prompts)\/list|agent_card\/get|agent\/getAuthenticatedExtendedCard)$/

/** Whether an operation asks what a server has. */
export function isListing(surface: string): boolean {
  return LISTING.test(surface)
}

/** Only a listing or a greeting carries what a server lists; clients put all that they say into requests. */
function carries(surface: string, { role, kind }: Planted): boolean {
  if (kind === 'idle') return false
  if (role === 'client' && kind === 'answer') return surface !== 'run_agent_input'
  return role === 'client' || (isListing(surface) || GREETING.test(surface)) === (kind === 'listing')
}
