import { resolve } from 'node:path'
import { loadResults, type StoredResults } from '@joust/arena'
import { err, messageWithHint, type Result } from '@joust/source'
import { withoutCredentials } from '../terminal/credentials.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { type Io, tell } from '../terminal/io.ts'

const MOST_TOLD = 10

/** Reads a folder of results, or a `results.json`. What is wrong with it is printed; the error is the exit code. */
export async function readResultsAt(path: string, io: Io): Promise<Result<StoredResults, number>> {
  const loaded = await loadResults(resolve(io.cwd, path))
  if (loaded.ok) return loaded
  const shown = withoutCredentials(path)
  for (const found of loaded.error.slice(0, MOST_TOLD)) {
    const where = found.path === undefined || found.path === '' ? '' : ` (${found.path})`
    tell(io, `${shown}: ${messageWithHint(found)}${where}`)
  }
  const more = loaded.error.length - MOST_TOLD
  if (more > 0) tell(io, `${shown}: and ${more} more faults`)
  return err(exitCodes.usage)
}
