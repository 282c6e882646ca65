/** The folders of one run: a home, a working folder and one for temporary files, gone when it is over. */
import { mkdir, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { atExit } from './signals.ts'
import { endStrays, openTemporaryFolder } from './temporary-folder.ts'

/** Where an agent lives during a run. */
export interface RunFolders {
  /** Holds all the others; files of the run go here. */
  readonly folder: string
  readonly home: string
  readonly work: string
  /** The environment variables that point to them. */
  readonly env: Readonly<Record<string, string>>
  /** Never rejects. */
  remove(): Promise<void>
}

/** What of the user's own home an agent may use: nothing, all of it, or only these files, such as a login. */
type UseOfHome = false | true | { readonly only: readonly string[] }

/** Makes the folders. What was started with their environment is ended when they are removed, wherever it has gone. */
export async function openRunFolders(useHome: UseOfHome = false): Promise<RunFolders> {
  // Nothing here says who we are: the agent may look at the path.
  const temporary = openTemporaryFolder('agent-')
  const folder = temporary.path
  const remove = async () => {
    endStrays(folder)
    forget()
    await temporary.remove()
  }
  const forget = atExit(() => endStrays(folder))
  const own = { home: join(folder, 'home'), work: join(folder, 'work'), tmp: join(folder, 'tmp') }
  try {
    for (const path of Object.values(own)) await mkdir(path, { mode: 0o700 })
    if (typeof useHome === 'object') for (const file of useHome.only) await lend(file, own.home)
  } catch (thrown) {
    await remove()
    throw thrown
  }
  const home = useHome === true ? homedir() : own.home
  const env = { HOME: home, USERPROFILE: home, TMPDIR: own.tmp, TMP: own.tmp, TEMP: own.tmp }
  return { folder, home, work: own.work, env, remove }
}

/** A link, so that a renewed login is renewed where it belongs. A file that is not there is missing in both homes. */
async function lend(file: string, home: string): Promise<void> {
  const to = join(home, file)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await symlink(join(homedir(), file), to)
}
