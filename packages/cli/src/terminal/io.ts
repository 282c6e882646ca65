import { closeSync } from 'node:fs'
import { printable, splitBlock } from '@joust/source'
import { coloursFor } from './colours.ts'
import { withoutSecretsOf } from './credentials.ts'
import { exitCodes } from './exit-codes.ts'

/** Streams, environment and signals of a command; tests pass their own. */
export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdout: Output
  readonly stderr: Output
  /** Reads standard input, at most `limit` + 1 bytes. */
  readonly stdin: (limit: number) => Promise<Uint8Array>
  /** Standard input in chunks, as they arrive. */
  readonly stdinParts: () => AsyncIterable<Uint8Array>
  /** Asks the user for one line; absent if there is no terminal. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>
  /** Asks the user for a line; undefined at the end of the input (Ctrl-D). Absent if there is no terminal. */
  readonly prompt?: (question: string, signal: AbortSignal) => Promise<string | undefined>
  readonly stoppable: Stoppable
  /** Restrictions on a target from a campaign: the only folder it may read, and whether it may run code. */
  readonly confined?: { readonly folder: string; readonly mayRunCode: boolean }
}

/** The reason for refusing a target from a campaign. */
export const WITHOUT_CODE = 'the target starts commands or loads modules, and this worker runs without --allow-exec'

export interface Output {
  readonly isTTY: boolean
  /** Current width of the terminal; undefined if the stream is not a terminal. */
  readonly columns?: number | undefined
  readonly rows?: number | undefined
  write(text: string): void
  /** Writes machine-readable output unchanged: documents, reports, annotations. */
  writeData(text: string): void
}

/** A function that runs work which a signal can stop. First removes temporary files left by killed processes. */
type Stoppable = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Prints a message on its own line on stderr, with control characters escaped. */
export function tell({ stderr }: Pick<Io, 'stderr'>, message: string): void {
  stderr.write(`${stderr.isTTY ? CLEAR_LINE : ''}joust: ${printable(message)}\n`)
}

/** Prints the error that ends a command, with its traceback below it; returns the exit code. */
export function giveUp(reason: string, io: Io, code: number = exitCodes.failure): number {
  const [message, block] = splitBlock(withoutSecretsOf(io.env, reason))
  tell(io, message)
  const { dim } = coloursFor(io, 'stderr')
  if (block !== '') io.stderr.write(`${block.split('\n').map(printable).map(dim).join('\n')}\n`)
  return code
}

/** Prints command-line errors; returns the exit code for wrong usage. */
export function wrongUsage(faults: readonly string[], io: Io): number {
  for (const fault of faults) giveUp(fault, io)
  return exitCodes.usage
}

export function exitCodeOf({ reason }: AbortSignal): number {
  return reason instanceof Interrupted ? reason.exitCode : exitCodes.interrupted
}

/** Control sequence that clears the live line at the cursor. */
export const CLEAR_LINE = '\r\x1b[2K'

/** Creates an `Io` for this process. */
export function processIo(): Io {
  return {
    cwd: currentFolder(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    stdin: readStdin,
    // Without an encoding, the parts are bytes.
    stdinParts: () => process.stdin as AsyncIterable<Uint8Array>,
    // stderr first, since opening standard input takes a while.
    ...(process.stderr.isTTY && process.stdin.isTTY ? { ask, prompt } : {}),
    stoppable: catchSignals(),
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch (thrown) {
    throw new Error('the working folder no longer exists', { cause: thrown })
  }
}

/** Wraps a stream. If the reader closes the pipe (`| head -1`, a closed terminal), silently drops remaining output. */
function output(stream: NodeJS.WriteStream): Output {
  let isClosed = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    isClosed = true
    if (error.code === 'EPIPE' || stream.isTTY === true || stream === process.stderr) return
    process.stderr.write(`joust: the output cannot be written: ${error.message}\n`)
    process.exit(exitCodes.failure)
  })
  const write = (text: string) => {
    if (!isClosed) stream.write(text)
  }
  return {
    isTTY: stream.isTTY === true,
    get columns() {
      return stream.isTTY === true && stream.columns > 0 ? stream.columns : undefined
    },
    get rows() {
      return stream.isTTY === true && stream.rows > 0 ? stream.rows : undefined
    },
    write,
    writeData: write,
  }
}

class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/**
 * Handles signals: most commands end immediately, some close resources first. A second signal ends the process, except
 * SIGHUP, which both the shell and the system send for a closed terminal.
 */
function catchSignals(): Stoppable {
  const working = new Set<AbortController>()
  const stop = (exitCode: number) => () => {
    const going = [...working].filter(({ signal }) => !signal.aborted)
    if (working.size === 0 || (going.length === 0 && exitCode !== exitCodes.hungUp)) process.exit(exitCode)
    for (const controller of going) controller.abort(new Interrupted(exitCode))
  }
  // First: Node aborts if it cannot reset a closed terminal.
  process.once('SIGHUP', () => process.once('exit', () => [0, 1, 2].map(closeSync)))
  process.on('SIGHUP', stop(exitCodes.hungUp))
  process.on('SIGINT', stop(exitCodes.interrupted))
  process.on('SIGTERM', stop(exitCodes.terminated))
  return async (work) => {
    const controller = new AbortController()
    working.add(controller)
    try {
      const { removeLeftovers } = await import('@joust/io')
      removeLeftovers()
      return await work(controller.signal)
    } finally {
      working.delete(controller)
    }
  }
}

async function readStdin(limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of process.stdin as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    length += chunk.length
    if (length > limit) break
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}

async function ask(question: string, signal: AbortSignal): Promise<string> {
  return (await prompt(question, signal)) ?? ''
}

async function prompt(question: string, signal: AbortSignal): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  // Without line editing by readline, the terminal still turns Ctrl-C into a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise((resolve, reject) => {
    const stop = () => {
      reject(signal.reason)
      lines.close()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    lines.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(undefined)
    })
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}
