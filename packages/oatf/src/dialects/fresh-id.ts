import type { Value } from '@joust/source'

/** An id that nothing has yet; from then on it is taken. */
export function freshId(id: string, taken: Set<unknown>): string {
  let fresh = id
  for (let next = 2; taken.has(fresh); next++) fresh = `${id}-${next}`
  taken.add(fresh)
  return fresh
}

/** Whether there is no id: `null` and an empty text are refused like none. */
export function lacksId(id: Value | undefined): boolean {
  return id === undefined || id === null || id === ''
}
