/** The trace of a run while it grows: every message in order, none dropped. */

import type { Clock } from '@joust/io'
import { isList, isRecord, type Value } from '@joust/source'
import type { TraceEntry } from '../model/trace-entry.ts'

/** What is written down of a message; number and time are added. */
export type Recorded = Omit<TraceEntry, 'seq' | 'at' | 'elapsed_ms'>

/** A growing trace. */
export interface Recorder {
  readonly entries: readonly TraceEntry[]
  record(message: Recorded): void
}

/** How much a run may record before it is ended; what came until then is kept. */
export interface TraceLimits {
  readonly messages: number
  /** What all contents hold, in characters; numbers, mappings and lists count as well. */
  readonly characters: number
}

/** Begins a trace. `onFull` is called once, when a limit is reached. */
export function createRecorder(
  clock: Clock,
  limits: TraceLimits,
  onEntry: (entry: TraceEntry) => void,
  onFull: (what: string) => void,
): Recorder {
  const started = clock.now()
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
    record(message) {
      const now = clock.now()
      const entry = { seq: entries.length + 1, at: stamp(now), elapsed_ms: now - started, ...message }
      entries.push(entry)
      characters += textIn(message.content)
      onEntry(entry)
      check()
    },
  }
}

/** The text of a time, made once per millisecond. */
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

/** What a value takes in memory beside its text, in characters: an empty mapping is not free. */
const NODE = 50

/** How much a value holds, in characters; a loop, since depth is the peer's to choose. */
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
