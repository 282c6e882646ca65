/** The exchanges of a run, within limits. Parsed into calls on demand. */
import type { CapturePlace } from './http/capture.ts'
import type { Exchange, ModelCall } from './model/call.ts'
import { readCall } from './wire/read-call.ts'
import { createStoredResponses } from './wire/stored-responses.ts'

export interface ExchangeLog {
  calls(): readonly ModelCall[]
  dropped(): number
  /** Returns the errors thrown by listeners. */
  failures(): readonly unknown[]
  /** Returns the destination of the next exchange. */
  place(): Omit<CapturePlace, 'clock'>
}

interface Listeners {
  readonly onExchange?: (exchange: Exchange) => void
  readonly onCall?: (call: ModelCall) => void
}

export function createLog(
  most: { readonly calls: number; readonly bytes: number },
  listeners: Listeners = {},
): ExchangeLog {
  const entries: { readonly exchange: Exchange; call?: ModelCall }[] = []
  const failures: unknown[] = []
  let begun = 0
  let dropped = 0
  let room = most.bytes
  // Entries are read in the order in which they ended, so that a response is stored before a request refers to it.
  const stored = createStoredResponses({ inserted: most.bytes })
  const read = (entry: (typeof entries)[number]): ModelCall => {
    entry.call ??= readCall(entry.exchange, stored)
    return entry.call
  }
  const keep = (exchange: Exchange, held: number) => {
    const entry = { exchange }
    if (entries.length < most.calls) entries.push(entry)
    else dropped += 1
    room += held - ((exchange.request.body?.length ?? 0) + (exchange.answer?.body?.length ?? 0))
    try {
      listeners.onExchange?.(exchange)
      listeners.onCall?.(read(entry))
    } catch (thrown) {
      // A failed listener must not affect the response to the agent; `close` reports the error.
      failures.push(thrown)
    }
  }
  return {
    calls: () => entries.map(read).sort((a, b) => a.sequence - b.sequence),
    dropped: () => dropped,
    failures: () => failures,
    place() {
      begun += 1
      let held = 0
      return {
        sequence: begun,
        hold(bytes) {
          if (bytes > 0 && (dropped > 0 || bytes > room)) return false
          held += bytes
          room -= bytes
          return true
        },
        keep: (exchange) => keep(exchange, held),
      }
    },
  }
}
