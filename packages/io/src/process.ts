/** Child processes, each in its own process group on POSIX, so that the descendants of a process end with it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { endsWithin } from './clock.ts'
import { ioLimits } from './limits.ts'
import { attempt } from './proc.ts'
import { atExit } from './signals.ts'
import { noteChild } from './temporary-folder.ts'

/** A command with its arguments and environment. */
export interface ProcessOptions {
  readonly command: string
  /** @default [] */
  readonly args?: readonly string[]
  /** The complete environment. @default process.env */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** @default process.cwd() */
  readonly cwd?: string
  /** Number of additional pipes, from file descriptor 3. @default 0 */
  readonly pipes?: number
}

/** The exit status of a process. */
export interface ProcessExit {
  /** The exit code; absent if a signal killed the process. */
  readonly code?: number
  /** A description for messages, such as `exited with code 1`. */
  readonly text: string
}

/** A running process and its streams. */
export interface RunningProcess extends Readonly<Pick<ChildProcessWithoutNullStreams, 'stdin' | 'stdout' | 'stderr'>> {
  readonly pipes: readonly Duplex[]
  /** Resolves when the process has exited. Its descendants may still be running. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when the process has exited and both output streams have ended. */
  readonly gone: Promise<ProcessExit>
  /** Sends a signal to the process group. */
  signal(name: NodeJS.Signals): void
  /** Closes stdin, waits, and then calls `end` if necessary. Resolves to false if the process does not exit in time. */
  close(graceMs: number): Promise<boolean>
  /** Sends SIGTERM to the process group, then SIGKILL. Resolves to false if the process does not exit in time. */
  end(graceMs: number): Promise<boolean>
}

const hasGroups = process.platform !== 'win32'

/**
 * Starts a process without a shell; rejects if that fails. The process is killed when the current process exits.
 *
 * @example
 * const { stdout, gone } = await startProcess({ command: 'node', args: ['agent.mjs'] })
 */
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
    // Otherwise a process outside the group would keep the streams open.
    if (!(await endsWithin(gone, graceMs))) for (const stream of child.stdio) stream?.destroy()
    if (!dead) child.unref()
    return dead
  }
  return {
    stdin,
    stdout,
    stderr,
    // All of these are duplex pipes.
    pipes: child.stdio.slice(3) as unknown as Duplex[],
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
  const { command, args = [], env = process.env, cwd, pipes = 0 } = options
  const stdio = ['pipe', 'pipe', 'pipe', ...Array<'pipe'>(pipes).fill('pipe')] as const
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: [...stdio], detached: hasGroups, windowsHide: true, env, cwd })
    // The listeners are kept, because a late error must not crash this process.
    child.on('error', reject)
    for (const stream of child.stdio) stream?.on('error', () => {})
    child.once('spawn', () => {
      if (child.pid !== undefined) noteChild(child.pid, env)
      resolve(child)
    })
  })
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  const { pid } = child
  // Throws if no process is left to receive the signal.
  if (pid !== undefined) attempt(() => (hasGroups ? process.kill(-pid, signal) : child.kill(signal)))
}

/** Reads streams as text, keeps the end of the combined output and passes the whole output to `onText`. */
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

/** Variables that programs need to find other programs and the locale. None of these is secret. */
const passed = /^(PATH|LANG|LANGUAGE|LC_[A-Z]+|TZ|PATHEXT|SystemRoot|SYSTEMROOT|ComSpec|WINDIR)$/

/**
 * Returns the environment for a child process: a few safe variables and those listed in `names`. `TERM` and `NO_COLOR`
 * disable terminal formatting.
 */
export function childEnvironment(
  names: readonly string[] = [],
  all: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const entries = Object.entries(all).flatMap(([name, value]) =>
    value !== undefined && (passed.test(name) || names.includes(name)) ? [[name, value] as const] : [],
  )
  return { TERM: 'dumb', NO_COLOR: '1', ...Object.fromEntries(entries) }
}
