/** Processes that outlive their parents. Linux only. */
import { readFileSync, readlinkSync } from 'node:fs'
import { ioLimits } from './limits.ts'
import { attempt, otherProcesses, standardStreams, statusOf } from './proc.ts'

/** A process started with the environment of a folder. */
export interface Child {
  /** The start time in clock ticks since boot. */
  readonly started: number
  readonly streams: readonly string[]
}

/**
 * Kills every process of this user that certainly descends from the children of a folder: a process whose environment
 * contains the folder, that has a standard stream of a child, that is an orphan without a terminal and with a working
 * directory in the folder, or whose parent is such a process. Never throws.
 */
export function endStrays(folder: string, children: readonly Child[]): void {
  for (let pass = 0; pass < ioLimits.strayPasses; pass++) {
    const strays = straysOf(folder, children)
    if (strays.length === 0) return
    // A process may already have ended.
    for (const id of strays) attempt(() => process.kill(id, 'SIGKILL'))
  }
}

function straysOf(folder: string, children: readonly Child[]): readonly number[] {
  const begins = new Map<string, number>()
  for (const { started, streams } of children) for (const stream of streams) begins.set(stream, started)
  const first = Math.min(...children.map(({ started }) => started))
  const processes = otherProcesses()
  const strays = processes.filter((id) => {
    // The initial environment; undefined for zombies and for processes of other users.
    const environment = attempt(() => readFileSync(`/proc/${id}/environ`, 'latin1'))
    if (environment === undefined) return false
    if (environment.includes(`${folder}/`)) return true
    // A program that is older than the stream may have received it, such as a service that starts programs.
    const since = Math.min(...standardStreams(id).map((stream) => begins.get(stream) ?? Number.POSITIVE_INFINITY))
    const isInside = attempt(() => readlinkSync(`/proc/${id}/cwd`))?.startsWith(`${folder}/`) === true
    if (!isInside && since === Number.POSITIVE_INFINITY) return false
    const status = statusOf(id)
    if (status === undefined || status.isDead) return false
    if (status.started >= since) return true
    // The user may have opened the folder in a shell or in a program that is not an orphan.
    return isInside && status.started >= first && !status.hasTerminal && status.parent === 1
  })
  return strays.length === 0 ? strays : withDescendants(strays, processes)
}

/**
 * Adds the descendants of processes. A process with a different environment and different streams is recognized by its
 * parent while the parent is alive.
 */
function withDescendants(strays: readonly number[], processes: readonly number[]): readonly number[] {
  const parents = processes.map((id) => ({ id, parent: statusOf(id)?.parent }))
  const all = new Set(strays)
  // The set grows during the iteration.
  for (const stray of all) for (const { id, parent } of parents) if (parent === stray) all.add(id)
  return [...all]
}
