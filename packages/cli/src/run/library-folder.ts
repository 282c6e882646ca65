/** Where the attacks are that come with the command. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Beside the package where it is installed, at the top of the repository where it is built. */
export function libraryFolder(): string {
  const packaged = fileURLToPath(new URL('../../library', import.meta.url))
  return existsSync(packaged) ? packaged : fileURLToPath(new URL('../../../../library', import.meta.url))
}
