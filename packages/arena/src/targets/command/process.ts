/** A command that runs once, from its start to the end of its group. */
import { endsWithin, keepTail, type ProcessExit, type RunningProcess } from '@joust/io'

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
export function followCommand(command: RunningProcess): RunningCommand {
  const { exited, gone, stdin, stdout, stderr } = command
  const output = keepTail([stdout, stderr], KEPT)
  stdin.end()
  let stopping: Promise<void> | undefined
  return {
    exited,
    ended: exited.then(async (exit) => {
      // What the process has started may hold its output open for ever.
      await endsWithin(gone, GRACE_MS)
      command.signal('SIGKILL')
      return exit
    }),
    output,
    stop() {
      stopping ??= command.end(GRACE_MS).then(() => {})
      return stopping
    },
  }
}
