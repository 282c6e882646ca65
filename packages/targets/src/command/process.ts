/** One run of a command, until its process group has ended. */
import { ArenaError, arenaLimits, type LastError } from '@joust/arena'
import { endsWithin, keepTail, type ProcessExit, type RunningProcess } from '@joust/io'
import { failureText } from '../failure-text.ts'
import { targetLimits } from '../limits.ts'

/** A running command. */
export interface RunningCommand {
  /** Resolves when the process has exited. */
  readonly exited: Promise<ProcessExit>
  /** Resolves when the process and its children have ended. */
  readonly ended: Promise<ProcessExit>
  /** The last part of stdout and stderr. */
  printed(): string
  /** The end of the standard error. */
  lastError(): LastError
  /** The standard output, or its last part if it is too long. */
  output(): string
  /** True if the standard output was too long. */
  isCut(): boolean
  /** True if a child process still held the standard output open after the exit. */
  isHeld(): boolean
  /** Ends the process. Has a timeout; never rejects. */
  stop(): Promise<void>
}

/** Wraps a started process; `input` is its standard input. */
export function followCommand(command: RunningProcess, input: string): RunningCommand {
  const { exited, gone, stdin, stdout, stderr } = command
  const printed = keepTail([stdout, stderr], targetLimits.printedText)
  let at = 0
  const errors = keepTail([stderr], targetLimits.printedText, () => {
    at = Date.now()
  })
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
      // A child process may hold the output open forever.
      await endsWithin(gone, targetLimits.outputMs)
      // On a busy machine, the end of the stream may have arrived but not been read yet.
      await new Promise((resolve) => setImmediate(resolve))
      isHeld = isOpen
      command.signal('SIGKILL')
      return exit
    }),
    printed,
    lastError: () => ({ text: errors(), at }),
    output,
    isCut: () => length > arenaLimits.answerText,
    isHeld: () => isHeld,
    stop() {
      stopping ??= command.end(targetLimits.outputMs).then(() => {})
      return stopping
    },
  }
}

/** Output and failures of commands, for all turns of a run. */
export interface CommandLog {
  /** Adds the output of a command; both functions are called on demand. */
  follow(printed: () => string, lastError?: () => LastError): void
  ended(exit: ProcessExit): void
  /** Adds a check for failures after an answer; it is called at the end of the run. */
  watch(fault: () => string | undefined): void
  /** Failures after an answer, one sentence each. */
  faults(): readonly string[]
  /** Creates a failure with the exception or the last line of the output first. */
  failure(reason: string, code?: 'target_failed' | 'timed_out'): ArenaError
  printed(): string
  /** The end of the standard error of the last command, where it is known apart from its output. */
  lastError(): LastError | undefined
  exitCode(): number | undefined
}

/** Creates an empty log; `who` names the process in its messages. */
export function createCommandLog(who: string): CommandLog {
  const outputs: (() => string)[] = []
  let lastError: (() => LastError) | undefined
  const checks: (() => string | undefined)[] = []
  let exit: ProcessExit | undefined
  const printed = () =>
    outputs
      .map((output) => output())
      .filter((text) => text !== '')
      .join('\n')
      .slice(-targetLimits.printedText)
  return {
    follow(output, ofError) {
      outputs.push(output)
      lastError = ofError
    },
    ended(status) {
      exit = status
    },
    watch: (check) => void checks.push(check),
    faults: () => checks.flatMap((check) => check() ?? []).map((fault) => `${who} ${fault}`),
    failure(reason, code = 'target_failed') {
      return new ArenaError(code, failureText(`${who} ${reason}`, outputs.at(-1)?.() ?? ''))
    },
    printed,
    lastError: () => lastError?.(),
    exitCode: () => exit?.code,
  }
}
