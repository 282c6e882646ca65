/** Runs a command until its process group has ended. */
import { ArenaError, arenaLimits, type LastError } from '@joust/arena'
import { endsWithin, keepTail, type ProcessExit, type RunningProcess } from '@joust/io'
import { failureText } from '../failure-text.ts'
import { targetLimits } from '../limits.ts'

export interface RunningCommand {
  readonly exited: Promise<ProcessExit>
  /** Resolves once the process and its children have ended. */
  readonly ended: Promise<ProcessExit>
  /** The end of stdout and stderr. */
  printed(): string
  /** The end of stderr. */
  lastError(): LastError
  /** Standard output, truncated to its end if it is too long. */
  output(): string
  isCut(): boolean
  /** True if a child process kept standard output open after the exit. */
  isHeld(): boolean
  /** Ends the process within a time limit. Never rejects. */
  stop(): Promise<void>
}

/** Follows a started process, and writes `input` to its standard input. */
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
      // A child process may keep the output open forever.
      await endsWithin(gone, targetLimits.outputMs)
      // On a busy machine, the end of the stream may have arrived but not have been read.
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

/** The command output and failures of all turns in a run. */
export interface CommandLog {
  /** Adds the output of a command. Both functions are called on demand. */
  follow(printed: () => string, lastError?: () => LastError): void
  ended(exit: ProcessExit): void
  /** Adds a check, called at the end of the run, for failures that followed an answer. */
  watch(fault: () => string | undefined): void
  /** Failures after an answer, one sentence each. */
  faults(): readonly string[]
  /** Creates a failure whose message starts with the exception, or ends with the last output line. */
  failure(reason: string, code?: 'target_failed' | 'timed_out'): ArenaError
  printed(): string
  /** The end of the last command's standard error; undefined if it is not separate from the output. */
  lastError(): LastError | undefined
  exitCode(): number | undefined
}

/** Creates an empty log; `who` is the subject of its messages. */
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
