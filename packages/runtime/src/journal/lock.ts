/** Lock files for journals, memories and chats. A lock file identifies the process that uses the locked file. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { readBounded, refuseLink } from '@joust/io'
import { err, errorCode, isRecord, ok, parseJson, type Result } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'

/**
 * Locks a file. Returns a function that unlocks it, or the reason why it is still locked. Throws system errors.
 *
 * @example
 * const locked = lockFile('mine.jsonl')
 * if (!locked.ok) console.error(locked.error)
 */
export function lock(file: string): Result<() => void, string> {
  const path = `${file}.lock`
  const release = () => rmSync(path, { force: true })
  if (claim(path)) return ok(release)
  const before = textOf(path)
  // The lock was released in the meantime.
  if (before === undefined) return lock(file)
  const problem = holderProblem(before, path)
  if (problem !== undefined) return err(problem)
  // Several processes may detect the same dead holder; only the one that creates this file takes over.
  const turn = `${path}.next`
  if (!claim(turn)) return err(`another process is taking over the lock; if none is running, delete ${turn}`)
  try {
    if (textOf(path) !== before) return err('another process took over the lock')
    renameSync(writeOwnFile(path), path)
    return ok(release)
  } finally {
    rmSync(turn, { force: true })
  }
}

/** Creates a file that identifies this process, atomically. Returns false if the file exists. */
function claim(path: string): boolean {
  const own = writeOwnFile(path)
  try {
    linkSync(own, path)
    return true
  } catch (thrown) {
    if (hasCode(thrown, 'EEXIST')) return false
    throw thrown
  } finally {
    rmSync(own, { force: true })
  }
}

function writeOwnFile(path: string): string {
  const name = `${path}.${process.pid}`
  // An earlier process with the same id may have left this file; it could also be a link to another file.
  rmSync(name, { force: true })
  writeFileSync(name, JSON.stringify({ pid: process.pid, started, host: hostname() }), { mode: 0o600, flag: 'wx' })
  return name
}

function textOf(path: string): string | undefined {
  try {
    refuseLink(path)
    return new TextDecoder().decode(readBounded(path, runtimeLimits.journalLockBytes))
  } catch (thrown) {
    if (hasCode(thrown, 'ENOENT')) return undefined
    throw thrown
  }
}

/** Describes the process that holds the lock; undefined if it has ended. */
function holderProblem(text: string, path: string): string | undefined {
  const remove = `if that process is not using the file, delete ${path}`
  const { pid, started: since, host } = parsed(text)
  if (typeof pid !== 'number') return `locked by another process; ${remove}`
  if (host !== hostname()) return `locked by process ${pid} on ${String(host)}; ${remove}`
  // In containers, every process may have the same id.
  const gone = pid === process.pid ? since !== started : !isAlive(pid)
  return gone ? undefined : `locked by process ${pid}; ${remove}`
}

/** Distinguishes this process from an earlier one with the same id. */
const started = Math.round(performance.timeOrigin)

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    // A process owned by another user is also alive.
    return hasCode(thrown, 'EPERM')
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return errorCode(thrown) === code
}
