import type { Exposure } from '../model/outcome.ts'

const MOST_BAITS = 3

/** `was sent 4 of 6 planted texts; the bait: attack.… (delivered)`; undefined where nothing was planted. No path is longer than `most`. */
export function exposureText(
  { planted, delivered, bait, guessed }: Exposure,
  most = Number.POSITIVE_INFINITY,
): string | undefined {
  if (planted.length === 0) return undefined
  const sent = `was sent ${delivered.length} of ${planted.length} planted ${planted.length === 1 ? 'text' : 'texts'}`
  if (bait.length === 0) return sent
  const there = new Set(delivered)
  const told = bait
    .slice(0, MOST_BAITS)
    .map((path) => `${cutMiddle(path, most)} (${there.has(path) ? 'delivered' : 'not delivered'})`)
  const more = bait.length - told.length
  const list = [...told, ...(more > 0 ? [`and ${more} more`] : [])].join(', ')
  return `${sent}; the bait${guessed === true ? ', guessed' : ''}: ${list}`
}

/** A long path by its beginning and its end: the end says what it is. */
function cutMiddle(path: string, most: number): string {
  if (path.length <= most) return path
  const head = Math.floor(most / 3)
  return `${path.slice(0, head)}…${path.slice(head + 1 - most)}`
}
