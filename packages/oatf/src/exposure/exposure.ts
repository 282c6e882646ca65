/** Which of the attacker's texts were sent, judged by the messages that actors sent. */
import { own, type Value } from '@joust/source'
import type { Plants } from './bait.ts'
import { leavesOf, type Mark, markOf, type SentTexts } from './marks.ts'
import type { Planted } from './planted.ts'

/** Watches what is sent. */
export interface ExposureWatch {
  /** Notes a message that an actor received. */
  came(actor: string, surface: string, content: Value): void
  /** Notes a message that an actor sent, in a phase, on a surface. */
  sent(actor: string, phase: string, surface: string, content: Value): void
  isDelivered(item: Planted): boolean
}

/** Begins to watch for everything that is planted, and for the named parts of it. */
export function watchExposure({ planted, baits }: Plants): ExposureWatch {
  const open = new Map<Planted, Mark>()
  for (const item of [...planted, ...baits.flatMap(({ items }) => items)]) {
    const mark = markOf(item.value)
    if (mark !== undefined) open.set(item, mark)
  }
  const delivered = new Set<Planted>()
  const called = new Set<string>()
  /** A text made only of templates is recognized by the call that it answers, where that call names something. */
  const isAsked = ({ actor, owner }: Planted, surface: string) =>
    owner === undefined || !CALLS.includes(surface) || called.has(JSON.stringify([actor, surface, owner]))
  return {
    came(actor, surface, content) {
      const name = CALLS.includes(surface) ? own(content, 'name') : undefined
      if (typeof name === 'string') called.add(JSON.stringify([actor, surface, name]))
    },
    sent(actor, phase, surface, content) {
      let sent: SentTexts | undefined
      for (const [item, mark] of open) {
        if (item.actor !== actor || !item.phases.includes(phase)) continue
        if (!carries(surface, item)) continue
        sent ??= textsOf(content)
        if (!mark.seenIn(sent)) continue
        if (mark.isOpen && !isAsked(item, surface)) continue
        delivered.add(item)
        open.delete(item)
      }
    },
    isDelivered: (item) => delivered.has(item),
  }
}

function textsOf(content: Value): SentTexts {
  const { texts, scalars } = leavesOf(content)
  return { texts: new Set(texts), scalars: new Set(scalars) }
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

/** Only a listing or a greeting carries what a server lists; clients put all they say into requests. */
function carries(surface: string, { role, kind }: Planted): boolean {
  if (kind === 'idle') return false
  return role === 'client' || (isListing(surface) || GREETING.test(surface)) === (kind === 'listing')
}
