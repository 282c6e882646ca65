/** Events in a file. */
import { closeSync, openSync, writeSync } from 'node:fs'
import type { EventListener } from '../model/events.ts'
import { jsonLines } from './jsonl.ts'

/** A file that events are written to. */
export interface EventFile {
  readonly onEvent: EventListener
  /** Closes the file; later events are dropped. Can be called again. */
  close(): void
}

/** Opens a file for events, replacing what was there. Each event is written before the run goes on, so a crash loses none. */
export function openEventFile(path: string): EventFile {
  let file: number | undefined = openSync(path, 'w')
  const onEvent = jsonLines((line) => {
    if (file !== undefined) writeSync(file, line)
  })
  return {
    onEvent,
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}
