/** Temporary folders with a lock file beside each: a later process removes what a killed one left behind. */
import { lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { readBounded, writeNew } from './files.ts'
import { ioLimits } from './limits.ts'
import { attempt } from './process.ts'

/** A folder that belongs to this process. */
export interface TemporaryFolder {
  readonly path: string
  /** Removes the folder, then its lock. Never rejects. */
  remove(): Promise<void>
}

/** The owner of a folder. A process id alone is used again; with the start time it is unique on one machine. */
interface Lock {
  readonly pid: number
  readonly started: string
  /** The boot of the machine and the namespace in which the process id is valid. */
  readonly scope: string
  /** The folder itself, so that a lock says nothing about another one of the same name. */
  readonly inode: number
}

const LOCK = '.lock'

/** Makes a folder that only this user can open, and removes those of dead processes. Throws what the system says. */
export function openTemporaryFolder(prefix: string, parent = tmpdir()): TemporaryFolder {
  removeLeftovers(parent)
  const path = mkdtempSync(join(parent, prefix))
  const lock = `${path}${LOCK}`
  const removeLock = () => attempt(() => rmSync(lock, { force: true }))
  try {
    writeNew(lock, JSON.stringify({ ...identity(process.pid), inode: lstatSync(path).ino }), 0o600)
  } catch (thrown) {
    attempt(() => rmSync(path, { recursive: true, force: true }))
    throw thrown
  }
  return {
    path,
    async remove() {
      await rm(path, { recursive: true, force: true, maxRetries: 3 }).then(removeLock, () => {})
    },
  }
}

/** Ends the processes and removes the folders of owners that are dead. A folder without a lock stays. Never throws. */
export function removeLeftovers(parent = tmpdir()): void {
  for (const name of attempt(() => readdirSync(parent)) ?? []) {
    if (!name.endsWith(LOCK)) continue
    const file = join(parent, name)
    const lock = readLock(file)
    if (lock === undefined || !isDead(lock)) continue
    const folder = file.slice(0, -LOCK.length)
    attempt(() => {
      const about = ownEntry(folder)
      if (about?.isDirectory() && about.ino === lock.inode) {
        endStrays(folder)
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      }
      // A folder that could not be removed keeps its lock, for a later attempt.
      rmSync(file)
    })
  }
}

/** The entry at a path, if it belongs to this user; a link is not followed. */
function ownEntry(path: string) {
  const about = lstatSync(path, { throwIfNoEntry: false })
  return about === undefined || process.getuid === undefined || about.uid === process.getuid() ? about : undefined
}

function readLock(file: string): Lock | undefined {
  if (attempt(() => ownEntry(file)?.isFile()) !== true) return undefined
  const value: unknown = attempt(() => JSON.parse(Buffer.from(readBounded(file, ioLimits.lockBytes)).toString()))
  return isLock(value) ? value : undefined
}

function isLock(value: unknown): value is Lock {
  if (typeof value !== 'object' || value === null) return false
  const { pid, started, scope, inode } = value as Partial<Record<keyof Lock, unknown>>
  const isText = typeof started === 'string' && typeof scope === 'string'
  return isText && typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 && typeof inode === 'number'
}

/** Certain only within the same boot and namespace: other machines and containers may share the disk. */
function isDead({ pid, started, scope }: Lock): boolean {
  const here = identity(pid)
  if (scope !== here.scope) return false
  return here.started === undefined || (here.started !== '' && here.started !== started)
}

/** The identity of a process; without a start time where it is dead, with an empty one where the system has none. */
function identity(pid: number): { readonly pid: number; readonly scope: string; readonly started: string | undefined } {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())
  const space = attempt(() => readlinkSync('/proc/self/ns/pid'))
  const scope = boot === undefined || space === undefined ? hostname() : `${boot} ${space}`
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (stat === undefined) return { pid, scope, started: isRunning(pid) ? '' : undefined }
  // The name of the program, in parentheses, may hold anything; after it come the state and, as number 22, the start.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return { pid, scope, started: /[ZX]/.test(state) ? undefined : fields[18] }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')
  }
}

/**
 * Ends every process of this user whose environment names a folder: those that have left their group and session are
 * known by the folder that only they were given. Linux only; never throws.
 */
export function endStrays(folder: string): void {
  for (let pass = 0; pass < ioLimits.strayPasses; pass++) {
    const strays = processesAt(folder)
    if (strays.length === 0) return
    // One that has already ended does not matter.
    for (const id of strays) attempt(() => process.kill(id, 'SIGKILL'))
  }
}

function processesAt(folder: string): number[] {
  // The environment that a process started with; undefined for processes of other users and for zombies.
  const environmentOf = (id: string) => attempt(() => readFileSync(`/proc/${id}/environ`, 'latin1'))
  return (attempt(() => readdirSync('/proc')) ?? [])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => environmentOf(name)?.includes(`${folder}/`))
    .map(Number)
}
