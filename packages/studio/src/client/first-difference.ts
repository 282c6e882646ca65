/** Where two traces diverge: the first message that differs in more than what differs in every run. */
import type { Trace } from '@joust/report/components'

/** The parts of a message that are new in each run: ids of sessions, tasks and messages, and times. */
const MADE_UP =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z?|127\.0\.0\.1:\d+|localhost:\d+/gi

/** The place of the first difference; undefined where both say the same. */
export function firstDifference(left: Trace, right: Trace): number | undefined {
  const length = Math.max(left.messages.length, right.messages.length)
  for (let place = 0; place < length; place++) if (textAt(left, place) !== textAt(right, place)) return place
  return undefined
}

function textAt({ messages, lines }: Trace, place: number): string {
  const message = messages[place]
  if (message === undefined) return ''
  const { actor, phase, surface, out, response } = message
  return JSON.stringify([actor, phase, surface, out, response, withoutMadeUp(lines[place] ?? '')])
}

/** A line of JSON without what is new in each run. */
export function withoutMadeUp(line: string): string {
  return line.replaceAll(MADE_UP, '…')
}
