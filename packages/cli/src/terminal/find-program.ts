/** Finds programs on PATH. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Io } from './io.ts'

export async function isOnPath(program: string, { env }: Pick<Io, 'env'>): Promise<boolean> {
  const folders = (env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  for (const folder of folders) if (await isExecutable(join(folder, program))) return true
  return false
}

function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}
