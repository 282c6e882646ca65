/** Replaces a configuration while an agent runs, and restores it afterwards. */
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { refuseLink, replaceFile, writeNew } from '@joust/io'
import { err, messageOf, ok, type Result } from '@joust/source'

/** A replaced configuration. */
export interface ReplacedConfig {
  /** Restores the original. Returns an error message on failure. */
  restore(): string | undefined
}

/**
 * Returns the backup path of the original. It contains the recorder's process id, so that a later recorder can tell
 * whether that process has ended.
 */
const originalOf = (path: string, pid: number) => `${path}.joust-${pid}`

/** Restores the original after a recorder was killed. Fails if another recorder is still running. */
export function recoverConfig(path: string): Result<boolean, string> {
  const prefix = `${basename(path)}.joust-`
  const names = readdirSync(dirname(path)).filter(
    (name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)),
  )
  for (const name of names) {
    const pid = Number(name.slice(prefix.length))
    if (pid !== process.pid && isAlive(pid)) return err(`${path} is in use by another recording (process ${pid})`)
    renameSync(join(dirname(path), name), path)
  }
  return ok(names.length > 0)
}

/** Replaces a configuration. On system errors, throws and leaves the original unchanged. */
export function replaceConfig(path: string, original: string, text: string): ReplacedConfig {
  refuseLink(path)
  const { mode, uid, gid } = lstatSync(path)
  const backup = originalOf(path, process.pid)
  writeNew(backup, original, mode & 0o777)
  try {
    replaceFile(path, text, mode, { uid, gid })
  } catch (thrown) {
    renameSync(backup, path)
    throw thrown
  }
  let isRestored = false
  return {
    restore() {
      if (isRestored) return undefined
      isRestored = true
      try {
        if (existsSync(path) && readFileSync(path, 'utf8') !== text)
          return `${path} was changed during the recording and was not restored; the original is ${backup}`
        renameSync(backup, path)
        return undefined
      } catch (thrown) {
        return `cannot restore ${path}: ${messageOf(thrown)}; the original is ${backup}`
      }
    },
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (thrown) {
    // The process is alive, but belongs to another user.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM'
  }
}
