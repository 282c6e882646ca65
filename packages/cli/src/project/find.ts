/** Which project file is used: the one that is named, or `joust.yaml` in the working folder or in one above it. */
import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PROJECT_FILE } from '@joust/runtime/bindings'
import { err, ok, type Result } from '@joust/source'
import { inputFile } from '../input/discover.ts'
import type { Io } from '../terminal/io.ts'

/** The absolute path; undefined where there is none. The error is a sentence. */
export async function findProject(named: string | undefined, io: Io): Promise<Result<string | undefined, string>> {
  if (named !== undefined) {
    const path = resolve(io.cwd, named)
    return (await ownerOf(path)) === undefined ? err(`${named}: no such file`) : ok(path)
  }
  for (let folder = resolve(io.cwd); ; folder = dirname(folder)) {
    const path = join(folder, PROJECT_FILE)
    const owner = await ownerOf(path)
    if (owner !== undefined) return isTrusted(owner) ? ok(path) : err(foreign(path, io))
    if (folder === dirname(folder)) return ok(undefined)
  }
}

async function ownerOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ uid }) => uid,
    () => undefined,
  )
}

/** It may name commands and code: somebody else's file in a folder above, such as /tmp, is not trusted. */
function isTrusted(owner: number): boolean {
  const user = process.getuid?.()
  return user === undefined || owner === user || owner === 0 || user === 0
}

function foreign(path: string, io: Io): string {
  const { name } = inputFile(path, io.cwd, true)
  return `${name} belongs to another user and may name code; --config ${name} uses it anyway`
}
