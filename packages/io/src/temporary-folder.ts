/**
 * Temporary folders, each with a lock file next to it, so that a later process can remove folders of killed processes.
 */
import { appendFileSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readBounded, writeNew } from './files.ts'
import { ioLimits } from './limits.ts'
import { attempt, identity, standardStreams, statusOf } from './proc.ts'
import { type Child, endStrays } from './strays.ts'

/** A temporary folder that belongs to this process. */
export interface TemporaryFolder {
  readonly path: string
  /** Removes the folder, then its lock. Never rejects. */
  remove(): Promise<void>
}

interface Lock {
  readonly pid: number
  readonly started: string
  readonly scope: string
  /** The folder's inode, to detect a different folder of the same name. */
  readonly inode: number
  readonly children: readonly Child[]
}

const LOCK = '.lock'

/** Creates a folder that only this user can open, and removes the folders of dead processes. Throws system errors. */
export function openTemporaryFolder(prefix: string, parent = tmpdir()): TemporaryFolder {
  removeLeftovers(parent)
  const path = mkdtempSync(join(parent, prefix))
  const lock = `${path}${LOCK}`
  const removeLock = () => attempt(() => rmSync(lock, { force: true }))
  try {
    writeNew(lock, `${JSON.stringify({ ...identity(process.pid), inode: lstatSync(path).ino })}\n`, 0o600)
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

/** Removes the folders of dead owners and kills their processes. Ignores folders without a lock. Never throws. */
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
        endStrays(folder, lock.children)
        rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
      }
      // A folder that could not be removed keeps its lock for a later attempt.
      rmSync(file)
    })
  }
}

/** Reads the file status of a path, if this user owns the file. Links are not followed. */
function ownEntry(path: string) {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats === undefined || process.getuid === undefined || stats.uid === process.getuid() ? stats : undefined
}

function readLock(file: string): Lock | undefined {
  if (attempt(() => ownEntry(file)?.isFile()) !== true) return undefined
  const text = attempt(() => Buffer.from(readBounded(file, ioLimits.lockBytes)).toString()) ?? ''
  // A line is incomplete if the process was killed while writing it.
  const [owner, ...started] = text.split('\n').map((line): unknown => attempt(() => JSON.parse(line)))
  return isLock(owner) ? { ...owner, children: started.filter(isChild) } : undefined
}

/**
 * Records a process started with the environment of a folder. Its descendants may have a different environment and
 * session, but often share its standard streams. Never throws.
 */
export function noteChild(pid: number, { TMPDIR }: Readonly<Record<string, string | undefined>>): void {
  const file = `${dirname(TMPDIR ?? '')}${LOCK}`
  const lock = readLock(file)
  const status = statusOf(pid)
  if (lock?.pid !== process.pid || lock.started !== identity(process.pid).started || status === undefined) return
  const line = `${JSON.stringify({ started: status.started, streams: standardStreams(pid) } satisfies Child)}\n`
  attempt(() => {
    if (lstatSync(file).size + line.length <= ioLimits.lockBytes) appendFileSync(file, line)
  })
}

/** Kills the processes started with the environment of a folder, and their descendants. Never throws. */
export function endProcessesOf(folder: string): void {
  endStrays(folder, readLock(`${folder}${LOCK}`)?.children ?? [])
}

function isChild(value: unknown): value is Child {
  if (typeof value !== 'object' || value === null) return false
  const { started, streams } = value as Partial<Record<keyof Child, unknown>>
  return typeof started === 'number' && Array.isArray(streams) && streams.every((link) => typeof link === 'string')
}

function isLock(value: unknown): value is Omit<Lock, 'children'> {
  if (typeof value !== 'object' || value === null) return false
  const { pid, started, scope, inode } = value as Partial<Record<keyof Lock, unknown>>
  const isText = typeof started === 'string' && typeof scope === 'string'
  return isText && typeof pid === 'number' && Number.isSafeInteger(pid) && pid > 0 && typeof inode === 'number'
}

/**
 * True if the owner is certainly dead. Owners from a different boot or namespace, which may share the disk, are treated
 * as alive.
 */
function isDead({ pid, started, scope }: Lock): boolean {
  const here = identity(pid)
  if (scope !== here.scope) return false
  return here.started === undefined || (here.started !== '' && here.started !== started)
}
