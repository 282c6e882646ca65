/** Items in the order in which they came, with their weight: taking one costs the same however many there are. */

/** A queue of items. */
interface Queue<T> {
  add(item: T): void
  /** The first item, wrapped: an item may be undefined. */
  take(): { readonly item: T } | undefined
  clear(): void
  /** What all items weigh. */
  weight(): number
}

interface Link<T> {
  readonly item: T
  next?: Link<T>
}

/** An empty queue. */
export function createQueue<T>(weigh: (item: T) => number): Queue<T> {
  let first: Link<T> | undefined
  let last: Link<T> | undefined
  let weight = 0
  return {
    add(item) {
      const link: Link<T> = { item }
      if (last === undefined) first = link
      else last.next = link
      last = link
      weight += weigh(item)
    },
    take() {
      const link = first
      if (link === undefined) return undefined
      first = link.next
      if (first === undefined) last = undefined
      weight -= weigh(link.item)
      return link
    },
    clear() {
      first = last = undefined
      weight = 0
    },
    weight: () => weight,
  }
}
