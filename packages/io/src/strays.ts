/** Processes that outlive their parents. Linux only. */
import { readFileSync, readlinkSync } from 'node:fs'
import { ioLimits } from './limits.ts'
import { attempt, otherProcesses, standardStreams, statusOf } from './proc.ts'

/** A process that was started with the environment of a folder. */
export interface Child {
  /** The start time in clock ticks since boot. */
  readonly started: number
  /** The standard streams of the process, created by this program. */
  readonly streams: readonly string[]
}

/**
 * Ends every process of this user that certainly descends from the children of a folder: by an environment that names
 * the folder, by a standard stream of a child, by a working directory in the folder for an orphan without a terminal,
 * or by a parent that is such a process. Never throws.
 */
export function endStrays(folder: string, children: readonly Child[]): void {
  for (let pass = 0; pass < ioLimits.strayPasses; pass++) {
    const strays = straysOf(folder, children)
    if (strays.length === 0) return
    // One that has already ended does not matter.
    for (const id of strays) attempt(() => process.kill(id, 'SIGKILL'))
  }
}

function straysOf(folder: string, children: readonly Child[]): readonly number[] {
  const begins = new Map<string, number>()
  for (const { started, streams } of children) for (const stream of streams) begins.set(stream, started)
  const first = Math.min(...children.map(({ started }) => started))
  const processes = otherProcesses()
  const strays = processes.filter((id) => {
    // The environment that a process started with; undefined for processes of other users and for zombies.
    const environment = attempt(() => readFileSync(`/proc/${id}/environ`, 'latin1'))
    if (environment === undefined) return false
    if (environment.includes(`${folder}/`)) return true
    // A program that was there before may have been handed a stream: a service that starts others, for example.
    const since = Math.min(...standardStreams(id).map((stream) => begins.get(stream) ?? Number.POSITIVE_INFINITY))
    const isInside = attempt(() => readlinkSync(`/proc/${id}/cwd`))?.startsWith(`${folder}/`) === true
    if (!isInside && since === Number.POSITIVE_INFINITY) return false
    const status = statusOf(id)
    if (status === undefined || status.isDead) return false
    if (status.started >= since) return true
    // The user may look at the folder, with a shell or a program that is not an orphan.
    return isInside && status.started >= first && !status.hasTerminal && status.parent === 1
  })
  return strays.length === 0 ? strays : withDescendants(strays, processes)
}

/**
 * Adds the descendants of processes. A process with another environment and other streams is identified by its parent
 * while the parent is alive.
 */
function withDescendants(strays: readonly number[], processes: readonly number[]): readonly number[] {
  const parents = processes.map((id) => ({ id, parent: statusOf(id)?.parent }))
  const all = new Set(strays)
  // The set grows while it is walked.
  for (const stray of all) for (const { id, parent } of parents) if (parent === stray) all.add(id)
  return [...all]
}
