/** A bounded queue between a writer and a reader. */
import type { Line } from '@joust/io'

/** The number of unread bytes at which writers must wait; about a socket buffer. */
const ROOM = 64 * 1024

export interface Channel<T> {
  readonly items: AsyncIterable<T>
  /** Adds an item; resolves when there is room for more or the reader has stopped. Does nothing after the end. */
  push(item: T): Promise<void>
  /** Ends the channel: the reader gets the queued items, then the end or the error. */
  end(error?: Error): void
  /** Drops queued items: the reader immediately gets the end or the error. */
  cancel(error?: Error): void
}

interface Reader<T> {
  readonly resolve: (result: IteratorResult<T, undefined>) => void
  readonly reject: (error: Error) => void
}

export function lineChannel(onLeave: () => void): Channel<Line> {
  return createChannel(({ text }) => text.length, onLeave)
}

export function byteChannel(onLeave: () => void): Channel<Uint8Array> {
  return createChannel((chunk) => chunk.length, onLeave)
}

/** `onLeave` is called if the reader stops before the end. */
export function createChannel<T>(weigh: (item: T) => number, onLeave: () => void = () => {}): Channel<T> {
  const queue = createQueue(weigh)
  const readers: Reader<T>[] = []
  const waiting: (() => void)[] = []
  let ending: { error?: Error } | undefined

  const release = () => {
    if (queue.weight() >= ROOM && ending === undefined) return
    for (const go of waiting.splice(0)) go()
  }
  const finish = (reader: Reader<T>) => {
    const error = ending?.error
    ending = {}
    if (error === undefined) reader.resolve({ done: true, value: undefined })
    else reader.reject(error)
  }
  const end = (error?: Error) => {
    if (ending !== undefined) return
    ending = error === undefined ? {} : { error }
    release()
    for (const reader of readers.splice(0)) finish(reader)
  }
  const cancel = (error?: Error) => {
    queue.clear()
    end(error)
  }
  const read = (reader: Reader<T>) => {
    const next = queue.take()
    if (next !== undefined) reader.resolve({ done: false, value: next.item })
    else if (ending !== undefined) finish(reader)
    else readers.push(reader)
    release()
  }
  const leave = () => {
    const early = ending === undefined
    cancel()
    ending = {}
    if (early) onLeave()
  }
  const push = async (item: T) => {
    if (ending !== undefined) return
    const reader = readers.shift()
    if (reader !== undefined) return reader.resolve({ done: false, value: item })
    queue.add(item)
    if (queue.weight() >= ROOM) await new Promise<void>((resolve) => waiting.push(resolve))
  }
  return { items: iterable(read, leave), push, end, cancel }
}

function iterable<T>(read: (reader: Reader<T>) => void, leave: () => void): AsyncIterable<T> {
  const iterator: AsyncIterator<T, undefined> = {
    next: () => new Promise((resolve, reject) => read({ resolve, reject })),
    async return() {
      leave()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

interface Link<T> {
  readonly item: T
  next?: Link<T>
}

function createQueue<T>(weigh: (item: T) => number) {
  let first: Link<T> | undefined
  let last: Link<T> | undefined
  let weight = 0
  return {
    add(item: T) {
      const link: Link<T> = { item }
      if (last === undefined) first = link
      else last.next = link
      last = link
      weight += weigh(item)
    },
    /** Takes the first item, wrapped because an item may be undefined. */
    take(): Link<T> | undefined {
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
