/** Finds the project file: the value of `--config`, or `joust.yaml` in the working folder or a parent folder. */
import { lstat, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { Io } from '../terminal/io.ts'

interface FoundProject {
  /** Absolute path. */
  readonly path: string
  /** User id of the owner; absent if the owner is the current user or root. */
  readonly owner?: number
}

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

/** Returns the owners of a file and, if the path is a link, of the link; undefined if there is no file. */
async function ownersOf(path: string): Promise<readonly number[] | undefined> {
  return Promise.all([lstat(path), stat(path)]).then(
    (both) => both.map(({ uid }) => uid),
    () => undefined,
  )
}

/** True if the owner is neither the current user nor root. The file may specify commands and code. */
function isForeign(owner: number): boolean {
  const user = process.getuid?.()
  return user !== undefined && owner !== user && owner !== 0
}

/** True if the user is root and the folder is the working folder, as in a container, not a parent such as /tmp. */
function isUsed(folder: string, io: Io): boolean {
  return process.getuid?.() === 0 && folder === resolve(io.cwd)
}

function foreign(path: string, io: Io): string {
  const { name } = inputFile(path, io.cwd, true)
  return `${name} belongs to another user and may run code; to use it anyway: --config ${name}`
}
