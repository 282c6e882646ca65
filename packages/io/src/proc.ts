/** Process information from `/proc`; empty on systems without `/proc`. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'

export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** A process on this machine. Process ids are reused, but a process id with a start time is unique. */
interface ProcessIdentity {
  readonly pid: number
  /** The machine's boot id and the namespace of the process id. */
  readonly scope: string
  /** The start time in clock ticks since boot; absent for a dead process, empty on systems without `/proc`. */
  readonly started: string | undefined
}

export function identity(pid: number): ProcessIdentity {
  const boot = attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim())
  const space = attempt(() => readlinkSync('/proc/self/ns/pid'))
  const scope = boot === undefined || space === undefined ? hostname() : `${boot} ${space}`
  const status = statusOf(pid)
  if (status === undefined) return { pid, scope, started: isRunning(pid) ? '' : undefined }
  return { pid, scope, started: status.isDead ? undefined : String(status.started) }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (thrown) {
    return !(thrown instanceof Error && 'code' in thrown && thrown.code === 'ESRCH')
  }
}

/** Reads the status of a process; undefined if the process has ended or the system has no `/proc`. */
export function statusOf(pid: number) {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (stat === undefined) return undefined
  // The program name in parentheses may contain anything. After it come the state and, as field 22, the start time.
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return {
    isDead: /[ZX]/.test(state),
    parent: Number(fields[0]),
    hasTerminal: fields[3] !== '0',
    started: Number(fields[18]),
  }
}

export function otherProcesses(): readonly number[] {
  const names = attempt(() => readdirSync('/proc')) ?? []
  return names.filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid).map(Number)
}

/** Returns the pipes and sockets behind a process's standard streams, such as `socket:[123]`; unique until reboot. */
export function standardStreams(pid: number): readonly string[] {
  const links = [0, 1, 2].map((stream) => attempt(() => readlinkSync(`/proc/${pid}/fd/${stream}`)))
  return links.filter((link) => link !== undefined).filter((link) => /^(?:pipe|socket):/.test(link))
}
