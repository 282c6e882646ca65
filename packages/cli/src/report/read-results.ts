import { resolve } from 'node:path'
import { loadResults, type StoredResults } from '@joust/results/files'
import { err, messageWithHint, type Result } from '@joust/source'
import { withoutCredentials } from '../terminal/credentials.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'

const MOST_ERRORS = 10

/** Reads a results folder or a `results.json`. Prints errors; returns the exit code. */
export async function readResultsAt(
  path: string,
  io: Io,
  load: typeof loadResults = loadResults,
): Promise<Result<StoredResults, number>> {
  const loaded = await load(resolve(io.cwd, path))
  if (loaded.ok) return loaded
  const name = withoutCredentials(path)
  for (const fault of loaded.error.slice(0, MOST_ERRORS)) {
    const where = fault.path === undefined || fault.path === '' ? '' : ` (${fault.path})`
    tell(io, `${name}: ${messageWithHint(fault)}${where}`)
  }
  const more = loaded.error.length - MOST_ERRORS
  if (more > 0) tell(io, `${name}: and ${more} more errors`)
  return err(exitCodes.usage)
}
