/** Events in a file. */
import { closeSync } from 'node:fs'
import { openToWrite, writeAll } from '@joust/io'
import type { EventListener } from '../model/events.ts'
import { EVENTS_MARK, jsonLines } from './jsonl.ts'

/** A file that events are written to. */
export interface EventFile {
  readonly onEvent: EventListener
  /** Closes the file; later events are dropped. Can be called again. */
  close(): void
}

/** Opens a file for events, replacing events that were there. Each event is written before the run goes on, so a crash loses none. */
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
