/** Runs the agent of a recording in a process that uses the user's terminal or the command's streams. */
import { type ChildProcess, spawn } from 'node:child_process'
import { endsWithin } from '@joust/io'
import { recordLimits } from './limits.ts'

export interface RecordedAgent {
  /** The exit code of the agent, as a shell reports it. Rejects if the agent cannot be started. */
  readonly exited: Promise<number>
  /** Ends the agent and, if there is no terminal, its process group. Takes a limited time. Never rejects. */
  end(): Promise<void>
}

interface AgentOptions {
  readonly command: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Text for the agent's standard input. @default the standard input of this process */
  readonly input?: string
}

export function startAgent({ command: [program = '', ...args], cwd, env, input }: AgentOptions): RecordedAgent {
  // In its own group, an agent could not read the terminal. With a terminal, Ctrl-C reaches it anyway.
  const hasGroup = process.platform !== 'win32' && process.stdin.isTTY !== true
  const stdin = input === undefined ? 'inherit' : 'pipe'
  const child = spawn(program, args, { stdio: [stdin, 'inherit', 'inherit'], detached: hasGroup, cwd, env })
  child.stdin?.on('error', () => {})
  child.stdin?.end(input)
  const kill = () => signalTo(child, 'SIGKILL', hasGroup)
  process.once('exit', kill)
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      process.off('exit', kill)
      resolve(code ?? 128 + (signalNumbers[signal ?? ''] ?? 0))
    })
  })
  const settled = exited.then(
    () => {},
    () => {},
  )
  return {
    exited,
    async end() {
      signalTo(child, 'SIGTERM', hasGroup)
      await endsWithin(settled, recordLimits.endMs)
      // Child processes of the agent may outlive it.
      signalTo(child, 'SIGKILL', hasGroup)
      await endsWithin(settled, recordLimits.endMs)
    },
  }
}

const signalNumbers: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }

function signalTo(child: ChildProcess, signal: NodeJS.Signals, hasGroup: boolean): void {
  if (child.pid === undefined) return
  try {
    if (hasGroup) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // The process has already ended.
  }
}
