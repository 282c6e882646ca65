/** Writes events as JSON lines. */
import { closeSync } from 'node:fs'
import { openToWrite, writeAll } from '@joust/io'
import type { EventListener, RunEvent } from '../model/events.ts'

/** An open event file. */
export interface EventFile {
  readonly onEvent: EventListener
  /** Closes the file; later events are dropped. May be called repeatedly. */
  close(): void
}

/**
 * Opens an event file and overwrites its content. Events are written before the run continues, so a crash loses none.
 *
 * @example
 * const { onEvent, close } = openEventFile('events.jsonl')
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

/** The version of the file format, written to the first line. */
export const EVENTS_VERSION = 1

const EVENTS_MARK = '{"joust_events":'

/**
 * Creates a listener that writes a line with the version, and then one line per event.
 *
 * @example
 * const runtime = createRuntime({ onEvent: jsonLines((line) => process.stdout.write(line)) })
 */
export function jsonLines(write: (line: string) => void): EventListener {
  let started = false
  return (event: RunEvent) => {
    if (!started) write(`${JSON.stringify({ joust_events: EVENTS_VERSION })}\n`)
    started = true
    write(`${JSON.stringify(event)}\n`)
  }
}
