import type { Value } from '@joust/source'

/** An id that nothing has yet; from then on it is taken. */
export function freshId(id: string, taken: Set<unknown>): string {
  let fresh = id
  for (let next = 2; taken.has(fresh); next++) fresh = `${id}-${next}`
  taken.add(fresh)
  return fresh
}

/** Whether there is no id: peers refuse `null` and an empty text just as they refuse a missing id. */
export function lacksId(id: Value | undefined): boolean {
  return id === undefined || id === null || id === ''
}
