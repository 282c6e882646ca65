/** `--events FILE`: everything that happens, as lines of JSON. */
import { resolve } from 'node:path'
import { type EventFile, openEventFile } from '@joust/runtime'
import { err, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** The file for events, or one that drops them; the exit code when it cannot be written. */
export function openEvents(file: string | undefined, io: Io): Result<EventFile, number> {
  if (file === undefined) return ok({ onEvent: () => undefined, close: () => undefined })
  try {
    return ok(openEventFile(resolve(io.cwd, file)))
  } catch (error) {
    return err(wrongUsage([`${file} cannot be written: ${error instanceof Error ? error.message : error}`], io))
  }
}
