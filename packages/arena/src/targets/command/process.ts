/** A command that runs once, from its start to the end of its group. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { endProcess, exitOf, type ProcessExit, signalGroup, withinTime } from '../../transport/process-group.ts'

/** A command under way. */
export interface RunningCommand {
  /** Resolves when it has ended by itself or was ended. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when it has ended and what it left behind is ended too. */
  readonly ended: Promise<ProcessExit>
  /** The end of what it has printed. */
  output(): string
  /** Ends it. Never rejects, bounded. */
  stop(): Promise<void>
}

/** How much of the output is kept, in characters. */
const KEPT = 64 * 1024

/** How long what is left of the output may take once the process has ended, and each step of ending it. */
const GRACE_MS = 1000

/** Follows a process that was started; it gets no input. */
export function followCommand(child: ChildProcessWithoutNullStreams): RunningCommand {
  const exited = exitOf(child)
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const gone = Promise.all([exited, closed])
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-KEPT)
    })
    stream.on('error', () => {})
  }
  child.stdin.end()
  let stopping: Promise<void> | undefined
  return {
    exited,
    ended: exited.then(async (exit) => {
      // What the process has started may hold its output open for ever.
      await withinTime(closed, GRACE_MS)
      signalGroup(child, 'SIGKILL')
      return exit
    }),
    output: () => output,
    stop() {
      stopping ??= endProcess(child, exited, gone, GRACE_MS).then(() => {})
      return stopping
    },
  }
}
