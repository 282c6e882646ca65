/** Processes that we start, each with a group of its own on POSIX, so that what they start ends with them. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { worldError } from './streams.ts'

/** What to start. */
export interface ProcessOptions {
  readonly command: string
  readonly args?: readonly string[]
  /** Laid over the environment of this process, which the child gets as well. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** How a process ended. */
export interface ProcessExit {
  /** Absent when a signal ended it. */
  readonly code?: number
  /** For messages. */
  readonly text: string
}

/** How long a process may take to die once it has been killed. */
const DYING_MS = 5000

const hasGroups = process.platform !== 'win32'

/** Starts a process without a shell. Rejects with an `ArenaError`. */
export async function startProcess(options: ProcessOptions): Promise<ChildProcessWithoutNullStreams> {
  const { command, cwd } = options
  try {
    return await start(options)
  } catch (thrown) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    throw worldError('connect_failed', `cannot start ${JSON.stringify(command)}${where}`, thrown)
  }
}

function start({ command, args = [], env, cwd }: ProcessOptions): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'pipe',
      detached: hasGroups,
      windowsHide: true,
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    })
    // Both stay for good: writing to a process that is gone must not bring ours down.
    child.on('error', reject)
    child.stdin.on('error', () => {})
    child.once('spawn', () => resolve(child))
  })
}

/** Resolves when a process has ended; what it started may go on. */
export function exitOf(child: ChildProcessWithoutNullStreams): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) =>
      resolve(code === null ? { text: `ended by ${signal}` } : { code, text: `exited with code ${code}` }),
    )
  })
}

/** Ends a process and its group, politely first. False when it does not end. Bounded. */
export async function endProcess(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<unknown>,
  gone: Promise<unknown>,
  graceMs: number,
): Promise<boolean> {
  signalGroup(child, 'SIGTERM')
  if (await withinTime(gone, graceMs)) return true
  signalGroup(child, 'SIGKILL')
  const dead = await withinTime(exited, DYING_MS)
  // Otherwise someone outside the group holds the other ends of the streams.
  if (!(await withinTime(gone, graceMs))) for (const stream of child.stdio) stream?.destroy()
  if (!dead) child.unref()
  return dead
}

/** Sends a signal to a process and what it has started. */
export function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // Nobody is left to get it.
  }
}

/** Whether work ends within a time. */
export function withinTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
