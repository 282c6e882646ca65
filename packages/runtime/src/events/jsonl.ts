/** Events as lines of JSON, and in a file. */

import { closeSync } from 'node:fs'
import { openToWrite, writeAll } from '@joust/io'
import type { EventListener, RunEvent } from '../model/events.ts'

/** A file that events are written to. */
export interface EventFile {
  readonly onEvent: EventListener
  /** Closes the file; later events are dropped. Can be called again. */
  close(): void
}

/**
 * Opens a file for events, replacing events that were there. Each event is written before the run continues, so a crash
 * loses none.
 */
export function openEventFile(path: string): EventFile {
  let file: number | undefined = openToWrite(path, { mark: EVENTS_MARK })
  const onEvent = jsonLines((line) => {
    if (file !== undefined) writeAll(file, line)
  })
  return {
    onEvent,
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

/** The version of the file format, in its first line. */
export const EVENTS_VERSION = 1

/** How every file of events begins. */
const EVENTS_MARK = '{"joust_events":'

/** A listener that writes one line per event, after a first line with the version. */
export function jsonLines(write: (line: string) => void): EventListener {
  let started = false
  return (event: RunEvent) => {
    if (!started) write(`${JSON.stringify({ joust_events: EVENTS_VERSION })}\n`)
    started = true
    write(`${JSON.stringify(event)}\n`)
  }
}
