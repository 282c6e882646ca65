/** Records the trace of a run: received messages, and sent messages that arrived, in order. */

import type { Clock } from '@joust/io'
import type { Held, TraceEntry } from '@joust/results'
import { isList, isRecord, type Value } from '@joust/source'

/** A message to record; sequence number and time are added. */
export type Recorded = Omit<TraceEntry, 'seq' | 'at' | 'elapsed_ms'>

export interface Recorder {
  readonly entries: readonly TraceEntry[]
  /** Returns all messages, including those that wait behind a held message. */
  seen(): readonly Recorded[]
  record(message: Recorded): void
  /**
   * Holds a message until it is known whether it arrived; later messages wait behind it. An incoming message at the
   * same actor releases the held message, since the peer is connected; a message at a different actor may be older.
   */
  hold(message: Recorded): Held
  release(): void
  /** Ends the trace and records held messages. Later messages are kept separately. */
  close(): void
  /** Returns the first messages after the end, which are not part of the trace. */
  later(): readonly TraceEntry[]
}

interface Waiting {
  readonly message: Recorded
  readonly time: number
  readonly size: number
  isHeld: boolean
}

interface TraceLimits {
  readonly messages: number
  /** The size of all contents in characters, including an overhead for each value. */
  readonly characters: number
}

/** `onFull` is called once, when a limit is reached. */
export function createRecorder(
  clock: Clock,
  limits: TraceLimits,
  onEntry: (entry: TraceEntry) => void,
  onFull: (what: string) => void,
): Recorder {
  const { entries, write, isFullWith } = createWriter(clock.now(), limits, onEntry, onFull)
  const queue: Waiting[] = []
  const later: TraceEntry[] = []
  let waitingCharacters = 0
  let isClosed = false
  const keep = (message: Recorded) => {
    if (later.length < LATER) later.push({ seq: later.length + 1, at: '', elapsed_ms: 0, ...message })
  }
  const flush = () => {
    for (let [first] = queue; first?.isHeld === false; [first] = queue) {
      queue.shift()
      waitingCharacters -= first.size
      write(first)
    }
  }
  const wait = (waiting: Waiting) => {
    queue.push(waiting)
    waitingCharacters += waiting.size
    // Held messages also count towards the limits.
    if (isFullWith(queue.length, waitingCharacters)) release()
  }
  const release = (actor?: string) => {
    for (const waiting of queue) if (actor === undefined || waiting.message.actor === actor) waiting.isHeld = false
    flush()
  }
  return {
    entries,
    seen: () => [...entries, ...queue.map(({ message }) => message)],
    record(message) {
      if (isClosed) return keep(message)
      if (message.flow === 'in') release(message.actor)
      const recorded = { message, time: clock.now(), size: sizeOf(message), isHeld: false }
      if (queue.length > 0) wait(recorded)
      else write(recorded)
    },
    hold(message) {
      if (isClosed) return { arrived: () => keep(message), lost() {} }
      const waiting: Waiting = { message, time: clock.now(), size: sizeOf(message), isHeld: true }
      wait(waiting)
      return {
        arrived() {
          waiting.isHeld = false
          flush()
        },
        lost() {
          const index = queue.indexOf(waiting)
          if (index < 0) return
          queue.splice(index, 1)
          waitingCharacters -= waiting.size
          flush()
        },
      }
    },
    release: () => release(),
    close() {
      release()
      isClosed = true
    },
    later: () => later,
  }
}

/** Maximum number of messages kept after the end of the trace. */
const LATER = 1000

function createWriter(
  started: number,
  limits: TraceLimits,
  onEntry: (entry: TraceEntry) => void,
  onFull: (what: string) => void,
) {
  const entries: TraceEntry[] = []
  const stamp = createStamp()
  let characters = 0
  let full = false
  const check = () => {
    if (full) return
    if (entries.length >= limits.messages) onFull(`${limits.messages} messages`)
    else if (characters >= limits.characters) onFull(`${limits.characters} characters`)
    else return
    full = true
  }
  return {
    entries,
    write({ message, time, size }: Omit<Waiting, 'isHeld'>) {
      const entry = { seq: entries.length + 1, at: stamp(time), elapsed_ms: time - started, ...message }
      entries.push(entry)
      characters += size
      onEntry(entry)
      check()
    },
    isFullWith: (messages: number, more: number) =>
      entries.length + messages >= limits.messages || characters + more >= limits.characters,
  }
}

/** Formats times; caches the latest one, since successive messages often have the same time. */
function createStamp(): (time: number) => string {
  let last = Number.NaN
  let text = ''
  return (time) => {
    if (time !== last) {
      last = time
      text = new Date(time).toISOString()
    }
    return text
  }
}

function sizeOf({ content, request, arguments: whole = '' }: Recorded): number {
  return textIn(content) + (request === undefined ? 0 : textIn(request)) + whole.length
}

/** The memory overhead of a value in addition to its text, in characters. */
const NODE = 50

/** Returns the size of a value in characters; iterative, since a peer controls the depth. */
function textIn(value: Value): number {
  let sum = 0
  const pending: Value[] = [value]
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    sum += NODE
    if (typeof next === 'string') sum += next.length
    else if (isList(next)) for (const item of next) pending.push(item)
    else if (isRecord(next)) {
      for (const key in next) {
        sum += key.length
        const child = next[key]
        if (child !== undefined) pending.push(child)
      }
    }
  }
  return sum
}
