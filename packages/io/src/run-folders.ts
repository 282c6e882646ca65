/** The folders of one run, removed when it ends: a home, a working folder and a folder for temporary files. */
import { mkdir, symlink } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { atExit } from './signals.ts'
import { endProcessesOf, openTemporaryFolder } from './temporary-folder.ts'

/** An agent's folders during a run. */
export interface RunFolders {
  /** The parent of the other folders, for files that the run needs. */
  readonly folder: string
  readonly home: string
  readonly work: string
  /** Environment variables with the folder paths. */
  readonly env: Readonly<Record<string, string>>
  /** Never rejects. */
  remove(): Promise<void>
}

/** Access to the user's own home: none, full access, or only some files, such as a login. */
type UseOfHome = false | true | { readonly only: readonly string[] }

/** Creates the folders. Removing them kills all processes started with their environment, even detached ones. */
export async function openRunFolders(useHome: UseOfHome = false): Promise<RunFolders> {
  // The path must not reveal Joust, because the agent may see it.
  const temporary = openTemporaryFolder('agent-')
  const folder = temporary.path
  const remove = async () => {
    endProcessesOf(folder)
    forget()
    await temporary.remove()
  }
  const forget = atExit(() => endProcessesOf(folder))
  const own = { home: join(folder, 'home'), work: join(folder, 'work'), tmp: join(folder, 'tmp') }
  try {
    for (const path of Object.values(own)) await mkdir(path, { mode: 0o700 })
    if (typeof useHome === 'object') for (const file of useHome.only) await linkFromHome(file, own.home)
  } catch (thrown) {
    await remove()
    throw thrown
  }
  const home = useHome === true ? homedir() : own.home
  const env = { HOME: home, USERPROFILE: home, TMPDIR: own.tmp, TMP: own.tmp, TEMP: own.tmp }
  return { folder, home, work: own.work, env, remove }
}

/** Links a file into the home, so that a renewed login is saved in the original. A missing file is not created. */
async function linkFromHome(file: string, home: string): Promise<void> {
  const to = join(home, file)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await symlink(join(homedir(), file), to)
}
