/** A command that runs once, from its start to the end of its group. */
import { endsWithin, keepTail, type ProcessExit, type RunningProcess } from '@joust/io'
import { ArenaError } from '../../model/errors.ts'
import { arenaLimits } from '../../model/limits.ts'

/** A command under way. */
export interface RunningCommand {
  /** Resolves when it has ended, on its own or not. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when it has ended and what it left behind is ended too. */
  readonly ended: Promise<ProcessExit>
  /** The end of what it has printed on either stream. */
  printed(): string
  /** What it has written to its standard output; the end of it, where that is more than is kept. */
  output(): string
  /** Whether more was written there than is kept. */
  isCut(): boolean
  /** Whether something held its standard output open when it had ended: a process that it started was not done. */
  isHeld(): boolean
  /** Ends it. Never rejects, bounded. */
  stop(): Promise<void>
}

/** Follows a process that was started; `input` is all that it gets to read. */
export function followCommand(command: RunningProcess, input: string): RunningCommand {
  const { exited, gone, stdin, stdout, stderr } = command
  const printed = keepTail([stdout, stderr], arenaLimits.printedText)
  let length = 0
  const output = keepTail([stdout], arenaLimits.answerText, (text) => {
    length += text.length
  })
  let isOpen = true
  stdout.once('close', () => {
    isOpen = false
  })
  let isHeld = false
  stdin.end(input)
  let stopping: Promise<void> | undefined
  return {
    exited,
    ended: exited.then(async (exit) => {
      // What the process has started may hold its output open forever.
      await endsWithin(gone, arenaLimits.outputMs)
      // On a busy machine, the end of the stream may have arrived but not been read yet.
      await new Promise((resolve) => setImmediate(resolve))
      isHeld = isOpen
      command.signal('SIGKILL')
      return exit
    }),
    printed,
    output,
    isCut: () => length > arenaLimits.answerText,
    isHeld: () => isHeld,
    stop() {
      stopping ??= command.end(arenaLimits.outputMs).then(() => {})
      return stopping
    },
  }
}

/** What commands printed, and what went wrong, kept for all turns of a run. */
export interface CommandLog {
  /** Adds the output of a command; `printed` is called when it is needed. */
  follow(printed: () => string): void
  ended(exit: ProcessExit): void
  /** Adds a check for what may go wrong after an answer; it is called when the run is over. */
  watch(fault: () => string | undefined): void
  /** What went wrong after an answer, one sentence each. */
  faults(): readonly string[]
  /** A failure with the end of the output. */
  failure(what: string): ArenaError
  printed(): string
  exitCode(): number | undefined
}

/** An empty log; `who` is whom it is about. */
export function createCommandLog(who: string): CommandLog {
  const outputs: (() => string)[] = []
  const watched: (() => string | undefined)[] = []
  let exit: ProcessExit | undefined
  const printed = () =>
    outputs
      .map((output) => output())
      .filter((text) => text !== '')
      .join('\n')
      .slice(-arenaLimits.printedText)
  return {
    follow: (output) => void outputs.push(output),
    ended(how) {
      exit = how
    },
    watch: (fault) => void watched.push(fault),
    faults: () => watched.flatMap((fault) => fault() ?? []).map((fault) => `${who} ${fault}`),
    failure(what) {
      const tail = (outputs.at(-1)?.() ?? '').trim().slice(-arenaLimits.commandTail)
      const said = tail === '' ? 'it printed nothing' : `its output ends with:\n${tail}`
      return new ArenaError('target_failed', `${who} ${what}; ${said}`)
    },
    printed,
    exitCode: () => exit?.code,
  }
}
