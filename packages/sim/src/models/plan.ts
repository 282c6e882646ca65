/** The next thing to do: standing orders, then the user's task, then what came back; each only once. */
import { quotationsIn } from '../english/sentences.ts'
import type { Token } from '../english/tokens.ts'
import { intentsOf } from '../orders/intents.ts'
import { isForeign, type Order, ordersIn } from '../orders/orders.ts'
import { isOwnCall, type Passage, type View } from '../prompt/view.ts'
import { firstOpen, type PlannedCall } from './calls.ts'
import { sequence } from './steps.ts'

/** What a model will do and say. */
export interface Plan {
  readonly next?: PlannedCall
  /** Orders for the answer. */
  readonly says: readonly Order[]
}

const MOST_CALLS = 32
const DEEPEST = 4
/** In one passage. */
const MOST_ORDERS = 60

/** Plans from the passages that a model listens to. */
export function planFor(view: View, listens: (passage: Passage) => boolean, eager: boolean): Plan {
  const heard = view.passages.filter(listens)
  const read = heard.flatMap((passage) => [passage, ...(eager ? quotedIn(passage) : [])])
  const orders = read.flatMap((passage) =>
    passage.depth > DEEPEST ? [] : ordersIn(passage, view).slice(0, MOST_ORDERS),
  )
  const intents = orders.flatMap((order) => intentsOf(order, view, eager))
  const hushed = new Set(intents.flatMap((intent) => (intent.kind === 'hush' ? [intent.order.passage] : [])))
  const says = intents.flatMap(({ kind, order }) =>
    kind === 'say' && isForeign(order.passage) && (!hushed.has(order.passage) || order.tokens.some(isQuoted))
      ? [order]
      : [],
  )
  const spent = view.calls.filter((call) => isOwnCall(call.id)).length >= MOST_CALLS
  if (view.choice === 'none' || spent) return { says }
  const next = firstOpen(sequence(intents, view, eager), intents, view, eager)
  return next === undefined ? { says } : { next, says }
}

/** Words to be said verbatim, even in a passage that wants silence. */
function isQuoted({ quoted, text }: Token): boolean {
  return quoted && text.includes(' ')
}

/** What is quoted in a passage, as a passage of its own; in a request, the user is not its writer. */
function quotedIn(passage: Passage): Passage[] {
  const writer = passage.writer === 'request' ? 'data' : passage.writer
  return quotationsIn(passage.text).map((text) => ({ ...passage, writer, text }))
}
