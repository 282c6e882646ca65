/** One process at a time: a file beside the journal names the process that works on it. */
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { readBounded, refuseLink } from '@joust/io'
import { isRecord, parseJson } from '@joust/source'
import { runtimeLimits } from '../model/limits.ts'

/** Takes the lock of a file; returns how to release it, or why it is not available. Throws what the disk says. */
export function lock(file: string): (() => void) | string {
  const path = `${file}.lock`
  const release = () => rmSync(path, { force: true })
  if (claim(path)) return release
  const before = textOf(path)
  // Its holder has just ended.
  if (before === undefined) return lock(file)
  const held = heldBy(before, path)
  if (held !== undefined) return held
  // Of those that find the same dead holder only one continues: it alone can claim the next turn.
  const turn = `${path}.next`
  if (!claim(turn)) return `another process is taking it over right now; if none is, remove ${turn}`
  try {
    if (textOf(path) !== before) return 'another process has just taken it over'
    renameSync(written(path), path)
    return release
  } finally {
    rmSync(turn, { force: true })
  }
}

/** Whether a name was free; if so, it names this process from the moment it exists. */
function claim(path: string): boolean {
  const own = written(path)
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

function written(path: string): string {
  const name = `${path}.${process.pid}`
  // An earlier process with this number may have left one; a link would lead elsewhere.
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

/** Who holds it; undefined when that process is gone. */
function heldBy(text: string, path: string): string | undefined {
  const remove = `if that is not a run of this journal, remove ${path}`
  const { pid, started: since, host } = parsed(text)
  if (typeof pid !== 'number') return `another process is using it; ${remove}`
  if (host !== hostname()) return `process ${pid} on ${String(host)} is using it; ${remove}`
  // In a container every process may have the same id.
  const gone = pid === process.pid ? since !== started : !isAlive(pid)
  return gone ? undefined : `process ${pid} is using it; ${remove}`
}

/** Tells this process from an earlier one with the same id. */
const started = Math.round(performance.timeOrigin)

function parsed(text: string): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  return isRecord(value) ? value : {}
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    // A process of another user is alive too.
    return hasCode(thrown, 'EPERM')
  }
}

function hasCode(thrown: unknown, code: string): boolean {
  return thrown instanceof Error && 'code' in thrown && thrown.code === code
}
