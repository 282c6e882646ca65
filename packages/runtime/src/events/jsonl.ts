/** Events as lines of JSON. */
import type { EventListener, RunEvent } from '../model/events.ts'

/** The version of the file format, in its first line. */
export const EVENTS_VERSION = 1

/** How every file of events begins. */
export const EVENTS_MARK = '{"joust_events":'

/** A listener that writes one line per event, after a first line with the version. */
export function jsonLines(write: (line: string) => void): EventListener {
  let started = false
  return (event: RunEvent) => {
    if (!started) write(`${JSON.stringify({ joust_events: EVENTS_VERSION })}\n`)
    started = true
    write(`${JSON.stringify(event)}\n`)
  }
}
