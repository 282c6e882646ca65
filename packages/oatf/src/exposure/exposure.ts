/** Which of the attacker's texts were sent, told from the messages that actors sent. */
import type { Value } from '@joust/source'
import { leavesOf, type Mark, markOf } from './marks.ts'
import type { Planted } from './planted.ts'
import type { Plants } from './plants.ts'

/** Watches what is sent. */
export interface ExposureWatch {
  /** A message of an actor, in a phase. */
  sent(actor: string, phase: string, content: Value): void
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
    sent(actor, phase, content) {
      if (open.size === 0) return
      const { texts, scalars } = leavesOf(content)
      const sent = { texts: new Set(texts), scalars: new Set(scalars) }
      for (const [item, mark] of open) {
        if (item.actor !== actor || !item.phases.includes(phase) || !mark.seenIn(sent)) continue
        delivered.add(item)
        open.delete(item)
      }
    },
    isDelivered: (item) => delivered.has(item),
  }
}
