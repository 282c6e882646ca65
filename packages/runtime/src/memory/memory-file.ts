/** Memory in a JSON Lines file shared by processes. Only writes take a lock. */
import { closeSync, fsyncSync, ftruncateSync, readdirSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { openToWrite, pause, readBounded, replaceFile, systemClock, writeAll } from '@joust/io'
import { errorCode, isRecord, messageOf, parseJson, type Result } from '@joust/source'
import { lock } from '../journal/lock.ts'
import { toValue } from '../model/json-value.ts'
import { runtimeLimits } from '../model/limits.ts'
import type { MemoryProvider, MemoryTurn } from '../model/memory.ts'

const { memoryFileBytes, memoryWaitingTurns } = runtimeLimits

const MARK = '{"joust_memory":1}\n'

/** Options for {@link createMemoryFile}. */
export interface MemoryFileOptions {
  /** Maximum number of turns per scope; the oldest are dropped. @default 100 */
  readonly turns?: number
}

interface Entry {
  readonly scope: string
  readonly turn: MemoryTurn
}

/**
 * Creates a memory that keeps the latest turns of each scope in a file. If the file is full, the oldest turns of all
 * scopes are dropped. `remember` resolves once the turn is on disk. A line truncated by a crash is dropped; any other
 * damage is an error, so that nothing is lost silently. If the file stays locked, the turn is written to a separate
 * file, which the next writer merges.
 *
 * @example
 * const runtime = createRuntime({ memory: createMemoryFile('memory.jsonl', { turns: 20 }) })
 */
export function createMemoryFile(path: string, options: MemoryFileOptions = {}): MemoryProvider {
  const most = options.turns ?? runtimeLimits.memoryTurns
  let cache: { readonly version: string; readonly contents: Contents } | undefined
  const read = (): Contents => {
    const version = versionOf(path)
    if (cache?.version !== version) cache = { version, contents: version === '' ? EMPTY : readContents(path) }
    return cache.contents
  }
  const add = (entry: Entry) => {
    const { entries, bytes } = read()
    const size = Buffer.byteLength(lineOf(entry))
    if (size > memoryFileBytes / 2) throw new Error(`a turn of ${size} bytes is too large for the memory file`)
    if (bytes + size > memoryFileBytes || turnsOf(entries, entry.scope).length >= 2 * most)
      rewrite(path, fitting(latest(entries, most)))
    const before = read()
    const contents = { entries: [...before.entries, entry], bytes: append(path, entry, before) }
    // The lock guarantees that no other process has written in the meantime.
    cache = { version: versionOf(path), contents }
  }
  return {
    recall(scope) {
      const waiting = waitingFiles(path).flatMap((file) => readWaiting(file) ?? [])
      return turnsOf([...read().entries, ...waiting], scope).slice(-most)
    },
    async remember(scope, turn) {
      const claim = await locked(path)
      if (!claim.ok) throw new Error(keepWaiting(path, { scope, turn }, claim.error))
      try {
        for (const file of waitingFiles(path)) {
          const entry = readWaiting(file)
          if (entry !== undefined) add(entry)
          rmSync(file, { force: true })
        }
        add({ scope, turn })
      } finally {
        claim.value()
      }
    },
  }
}

/** Returns a version that changes whenever the file changes; empty for a missing file. */
function versionOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats === undefined ? '' : `${stats.ino} ${stats.size} ${stats.mtimeMs}`
}

function turnsOf(entries: readonly Entry[], scope: string): MemoryTurn[] {
  return entries.filter((entry) => entry.scope === scope).map(({ turn }) => turn)
}

/** Drops all but the latest turns of each scope. */
function latest(entries: readonly Entry[], most: number): readonly Entry[] {
  const counts = new Map<string, number>()
  const newestFirst = entries.toReversed().filter(({ scope }) => {
    const count = (counts.get(scope) ?? 0) + 1
    counts.set(scope, count)
    return count <= most
  })
  return newestFirst.toReversed()
}

/** Drops the oldest turns until the remaining turns need at most half of the maximum size. */
function fitting(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0
  const first = entries.findLastIndex((entry) => {
    bytes += Buffer.byteLength(lineOf(entry))
    return bytes > memoryFileBytes / 2
  })
  return entries.slice(first + 1)
}

/** The turns in a file, and the size of its complete lines in bytes. */
interface Contents {
  readonly entries: readonly Entry[]
  readonly bytes: number
}

const EMPTY: Contents = { entries: [], bytes: 0 }

function readContents(path: string): Contents {
  const all = readBounded(path, memoryFileBytes)
  const bytes = all.lastIndexOf(0x0a) + 1
  // A process killed while writing leaves an incomplete line.
  const text = decode(bytes === 0 ? all : all.subarray(0, bytes))
  if (!MARK.startsWith(text) && !text.startsWith(MARK)) throw new Error(`${path} is not a memory file`)
  const lines = text.slice(MARK.length).split('\n')
  const entries = lines.flatMap((line, index) => (line === '' ? [] : [readEntry(line, `${path}:${index + 2}`)]))
  return { entries, bytes }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

function readEntry(line: string, place: string): Entry {
  const value = toValue(parseJson(line))
  const entry = value.ok && isRecord(value.value) ? value.value : {}
  const { scope, agent, input, output } = entry
  if (typeof scope !== 'string' || typeof agent !== 'string' || input === undefined || output === undefined)
    throw new Error(`${place} is damaged; correct or delete the line`)
  return { scope, turn: { agent, input, output } }
}

function lineOf({ scope, turn }: Entry): string {
  return `${JSON.stringify({ scope, ...turn })}\n`
}

/** Appends a line and returns the new size. Overwrites an incomplete last line. */
function append(path: string, entry: Entry, { bytes }: Contents): number {
  const file = openToWrite(path, { mark: '', append: true })
  try {
    const text = `${bytes === 0 ? MARK : ''}${lineOf(entry)}`
    ftruncateSync(file, bytes)
    writeAll(file, text)
    fsyncSync(file)
    return bytes + Buffer.byteLength(text)
  } finally {
    closeSync(file)
  }
}

function rewrite(path: string, entries: readonly Entry[]): void {
  replaceFile(path, `${MARK}${entries.map(lineOf).join('')}`, 0o600)
}

const WAITING = '.waiting-'

/** Returns the files with pending turns, oldest first. */
function waitingFiles(path: string): string[] {
  const start = `${basename(path)}${WAITING}`
  const names = statSync(dirname(path), { throwIfNoEntry: false }) === undefined ? [] : readdirSync(dirname(path))
  const waiting = names.filter((name) => name.startsWith(start) && /^[\d-]+$/.test(name.slice(start.length)))
  return waiting.toSorted().map((name) => join(dirname(path), name))
}

/** Reads a pending turn; undefined if another process has merged it in the meantime. */
function readWaiting(path: string): Entry | undefined {
  try {
    return readEntry(decode(readBounded(path, memoryFileBytes)), path)
  } catch (thrown) {
    if (errorCode(thrown) === 'ENOENT') return undefined
    throw thrown
  }
}

/** Writes a turn to a file next to the memory file; returns a warning. */
function keepWaiting(path: string, entry: Entry, problem: string): string {
  const before = waitingFiles(path)
  const locked = `the memory is locked: ${problem}`
  // A permanent lock must not fill the disk.
  if (before.length >= memoryWaitingTurns) return `${locked}; ${before.length} turns are pending, and this turn is lost`
  const file = `${path}${WAITING}${Date.now()}-${process.pid}-${String(before.length).padStart(4, '0')}`
  replaceFile(file, lineOf(entry), 0o600)
  return `${locked}; the turn is kept in ${file} until the next one is stored`
}

/** Waits for the lock. Returns the reason if it does not become available in time. */
async function locked(path: string): Promise<Result<() => void, string>> {
  const end = Date.now() + runtimeLimits.memoryLockMs
  for (;;) {
    const claim = tryLock(path)
    if (claim.ok || Date.now() >= end) return claim
    await pause(systemClock, runtimeLimits.memoryLockPollMs)
  }
}

function tryLock(path: string): Result<() => void, string> {
  try {
    return lock(path)
  } catch (thrown) {
    throw new Error(`cannot lock the memory: ${messageOf(thrown)}`, { cause: thrown })
  }
}
