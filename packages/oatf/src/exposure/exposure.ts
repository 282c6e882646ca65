/** Which of the attacker's texts were sent, told from the messages that actors sent. */
import type { Value } from '@joust/source'
import { leavesOf, type Mark, markOf, type SentTexts } from './marks.ts'
import type { Planted } from './planted.ts'
import type { Plants } from './plants.ts'

/** Watches what is sent. */
export interface ExposureWatch {
  /** A message of an actor, in a phase, on a surface. */
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
  return {
    sent(actor, phase, surface, content) {
      let sent: SentTexts | undefined
      for (const [item, mark] of open) {
        if (item.actor !== actor || !item.phases.includes(phase)) continue
        if (!carries(surface, item)) continue
        sent ??= textsOf(content)
        if (!mark.seenIn(sent)) continue
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

/** Where servers tell what they have. */
const LISTING = /^initialize$|^server\/discover$|\/list$|^agent_card\/get$|^agent\/getAuthenticatedExtendedCard$/

/** What a server lists comes with a listing and nothing else does; clients say all they have in requests. */
function carries(surface: string, { role, kind }: Planted): boolean {
  return role === 'client' || LISTING.test(surface) === (kind === 'listing')
}
