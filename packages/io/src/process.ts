/** Processes that we start, each with a group of its own on POSIX, so that what they start ends with them. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { endsWithin } from './clock.ts'
import { ioLimits } from './limits.ts'
import { atExit } from './signals.ts'

/** What to start. */
export interface ProcessOptions {
  readonly command: string
  readonly args?: readonly string[]
  /** All that the process sees of an environment; that of this process unless given. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
}

/** How a process ended. */
export interface ProcessExit {
  /** Absent when a signal ended it. */
  readonly code?: number
  /** For messages: `exited with code 1`. */
  readonly text: string
}

/** A process that was started. */
export interface RunningProcess extends Readonly<Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'>> {
  /** Resolves when the process has ended; what it started may go on. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when it has ended and both outputs are read to their end. */
  readonly gone: Promise<ProcessExit>
  /** Sends a signal to the process and what it has started. */
  signal(name: NodeJS.Signals): void
  /** Ends its input, then the process and its group if that does not help. False when it does not end. Bounded. */
  close(graceMs: number): Promise<boolean>
  /** Ends the process and its group, politely first. False when it does not end. Bounded. */
  end(graceMs: number): Promise<boolean>
}

const hasGroups = process.platform !== 'win32'

/** Starts a process without a shell; rejects when it cannot be started. It does not outlive this one. */
export async function startProcess(options: ProcessOptions): Promise<RunningProcess> {
  const child = await start(options)
  const forget = atExit(() => signalGroup(child, 'SIGKILL'))
  const exited = new Promise<ProcessExit>((resolve) => {
    child.once('exit', (code, signal) => {
      forget()
      resolve(code === null ? { text: `ended by ${signal}` } : { code, text: `exited with code ${code}` })
    })
  })
  const gone = new Promise<ProcessExit>((resolve) => child.once('close', () => resolve(exited)))
  const { stdin, stdout, stderr } = child
  const end = async (graceMs: number) => {
    signalGroup(child, 'SIGTERM')
    if (await endsWithin(gone, graceMs)) return true
    signalGroup(child, 'SIGKILL')
    const dead = await endsWithin(exited, ioLimits.dyingMs)
    // Otherwise someone outside the group holds the other ends of the streams.
    if (!(await endsWithin(gone, graceMs))) for (const stream of child.stdio) stream?.destroy()
    if (!dead) child.unref()
    return dead
  }
  return {
    stdin,
    stdout,
    stderr,
    exited,
    gone,
    signal: (name) => signalGroup(child, name),
    end,
    async close(graceMs) {
      stdin.end()
      return (await endsWithin(gone, graceMs)) || end(graceMs)
    },
  }
}

function start(options: ProcessOptions): Promise<ChildProcessWithoutNullStreams> {
  const { command, args = [], env = process.env, cwd } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'pipe', detached: hasGroups, windowsHide: true, env, cwd })
    // The listeners stay: an error of a process that has gone, or of a late kill, must not bring ours down.
    child.on('error', reject)
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
    child.once('spawn', () => resolve(child))
  })
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  const { pid } = child
  // It throws when there is nobody left to receive the signal.
  if (pid !== undefined) attempt(() => (hasGroups ? process.kill(-pid, signal) : child.kill(signal)))
}

/** Undefined when it throws. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}

/** Reads streams as text and keeps the end of their combined output; all of it is passed on as well. */
export function keepTail(
  streams: readonly Readable[],
  characters: number,
  onText: (text: string) => void = () => {},
): () => string {
  let tail = ''
  for (const stream of streams) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = `${tail}${text}`.slice(-characters)
      onText(text)
    })
  }
  return () => tail
}

/** What a program needs to be found and to write text; nothing that could be a secret. */
const passed = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|PATHEXT|SystemRoot|SYSTEMROOT|ComSpec|WINDIR)$/

/**
 * What a child process sees of our environment: as little as possible, and what the caller names. Programs that write
 * for a terminal are told that there is none.
 */
export function childEnvironment(
  names: readonly string[] = [],
  all: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const kept = Object.entries(all).flatMap(([name, value]) =>
    value !== undefined && (passed.test(name) || names.includes(name)) ? [[name, value] as const] : [],
  )
  return { TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(kept) }
}
