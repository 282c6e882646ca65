/** Which project file is used: the one that is named, or `joust.yaml` in the working folder or in one above it. */
import { lstat, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { Io } from '../terminal/io.ts'

/** A project file that may be used. */
interface FoundProject {
  /** Absolute. */
  readonly path: string
  /** The number of the user that it belongs to, where that is neither this one nor root. */
  readonly owner?: number
}

/** Finds the file; undefined where there is none. The error is a sentence. */
export async function findProject(
  named: string | undefined,
  io: Io,
): Promise<Result<FoundProject | undefined, string>> {
  if (named !== undefined) {
    const path = resolve(io.cwd, named)
    return (await ownersOf(path)) === undefined ? err(`${named}: no such file`) : ok({ path })
  }
  for (let folder = resolve(io.cwd); ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE)
    const owners = await ownersOf(path)
    const owner = owners?.find(isForeign)
    if (owner !== undefined) return isUsed(folder, io) ? ok({ path, owner }) : err(foreign(path, io))
    if (owners !== undefined) return ok({ path })
    if (folder === dirname(folder)) return ok(undefined)
  }
}

/** The owners of the file and, where that is a link, of the link; undefined where there is no file. */
async function ownersOf(path: string): Promise<readonly number[] | undefined> {
  return Promise.all([lstat(path), stat(path)]).then(
    (both) => both.map(({ uid }) => uid),
    () => undefined,
  )
}

/** The file may name commands and code, so it has to be this user's or root's. */
function isForeign(owner: number): boolean {
  const user = process.getuid?.()
  return user !== undefined && owner !== user && owner !== 0
}

/** In its working folder root uses the files of other users, as in a container; in a folder above, such as /tmp, not. */
function isUsed(folder: string, io: Io): boolean {
  return process.getuid?.() === 0 && folder === resolve(io.cwd)
}

function foreign(path: string, io: Io): string {
  const { name } = inputFile(path, io.cwd, true)
  return `${name} belongs to another user and may name code; --config ${name} uses it anyway`
}
