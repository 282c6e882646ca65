/** Copies for watchers: what they are shown is theirs to read and nobody's to change. */
import { setOwn } from '@joust/source'

/** A deep copy that cannot be changed. A failure of host code may contain itself; its copy then does, too. */
export function frozenCopy<T>(thing: T): T {
  const copies = new Map<object, object>()
  const pending: { readonly from: object; readonly into: object }[] = []
  const copy = (from: unknown): unknown => {
    if (typeof from !== 'object' || from === null) return from
    const known = copies.get(from)
    if (known !== undefined) return known
    const into = Array.isArray(from) ? [] : {}
    copies.set(from, into)
    pending.push({ from, into })
    return into
  }
  const root = copy(thing)
  for (let job = pending.pop(); job !== undefined; job = pending.pop()) {
    for (const [key, child] of Object.entries(job.from)) setOwn(job.into, key, copy(child))
    Object.freeze(job.into)
  }
  // The loop rebuilds the same shape.
  return root as T
}
