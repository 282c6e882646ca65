import { closeSync } from 'node:fs'
import { printable } from '@joust/source'
import { withoutSecretsOf } from './credentials.ts'
import { exitCodes } from './exit-codes.ts'

/** The world as commands see it, so that tests can pass in another one. */
export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdout: Output
  readonly stderr: Output
  /** The bytes of standard input, at most `limit` + 1 of them. */
  readonly stdin: (limit: number) => Promise<Uint8Array>
  /** Asks a human and returns one line; absent where nobody is at a terminal. */
  readonly ask?: (question: string, signal: AbortSignal) => Promise<string>
  readonly stoppable: Stoppable
  /** Set for a target that came from elsewhere: the only folder it may name files of, and whether it may run code. */
  readonly confined?: { readonly folder: string; readonly mayRunCode: boolean }
}

/** Why a target that came from elsewhere is refused, after "it". */
export const WITHOUT_CODE = 'starts commands or loads modules, and this worker was started without --allow-exec'

/** A stream that takes text. */
export interface Output {
  readonly isTTY: boolean
  /** How many characters currently fit on a line of the terminal; undefined where nothing limits lines. */
  readonly columns?: number | undefined
  /** How many lines the terminal shows, as it is now. */
  readonly rows?: number | undefined
  write(text: string): void
  /** Writes what programs read, which must stay as it is: documents, reports, annotations. */
  writeData(text: string): void
}

/** Does work that can be told to stop before the process ends; removes what an earlier, killed one left behind. */
type Stoppable = <T>(work: (signal: AbortSignal) => Promise<T>) => Promise<T>

/** Says something to people, on a line of its own on stderr; foreign text in it cannot control the terminal. */
export function tell({ stderr }: Pick<Io, 'stderr'>, message: string): void {
  stderr.write(`${stderr.isTTY ? CLEARED : ''}joust: ${printable(message)}\n`)
}

/** Says why a command cannot go on; returns its exit code. */
export function giveUp(reason: string, io: Io, code: number = exitCodes.failure): number {
  tell(io, withoutSecretsOf(io.env, reason))
  return code
}

/** Says what is wrong with a command line. */
export function wrongUsage(faults: readonly string[], io: Io): number {
  for (const fault of faults) giveUp(fault, io)
  return exitCodes.usage
}

/** The exit code of a signal that has fired. */
export function exitCodeOf({ reason }: AbortSignal): number {
  return reason instanceof Interrupted ? reason.exitCode : exitCodes.interrupted
}

/** Clears the live line that the cursor is on. */
export const CLEARED = '\r\x1b[2K'

/** The streams and environment of this process. */
export function processIo(): Io {
  return {
    cwd: currentFolder(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    stdin: readStdin,
    // stderr first, since opening standard input takes a while.
    ...(process.stderr.isTTY && process.stdin.isTTY ? { ask } : {}),
    stoppable: catchSignals(),
  }
}

function currentFolder(): string {
  try {
    return process.cwd()
  } catch (thrown) {
    throw new Error('the folder that you are in is not there any more', { cause: thrown })
  }
}

/** A reader that goes away (`| head -1`, a closed terminal) is not a failure: the rest is dropped, the code stays. */
function output(stream: NodeJS.WriteStream): Output {
  let gone = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = true
    if (error.code === 'EPIPE' || stream.isTTY === true || stream === process.stderr) return
    process.stderr.write(`joust: the output cannot be written: ${error.message}\n`)
    process.exit(exitCodes.failure)
  })
  const write = (text: string) => {
    if (!gone) stream.write(text)
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

/** Why work was told to stop. */
class Interrupted extends Error {
  override readonly name = 'Interrupted'
  readonly exitCode: number

  constructor(exitCode: number) {
    super('interrupted')
    this.exitCode = exitCode
  }
}

/**
 * Ctrl-C and the like: most commands end at once, some have something to close first. A second one ends
 * the process whatever it is doing, except that a closed terminal may say so twice: the shell does, and the system.
 */
function catchSignals(): Stoppable {
  const working = new Set<AbortController>()
  const stop = (exitCode: number) => () => {
    const going = [...working].filter(({ signal }) => !signal.aborted)
    if (working.size === 0 || (going.length === 0 && exitCode !== exitCodes.hungUp)) process.exit(exitCode)
    for (const controller of going) controller.abort(new Interrupted(exitCode))
  }
  // First: Node aborts where it cannot reset a terminal that is gone.
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
  const { createInterface } = await import('node:readline')
  // Without line editing of its own, the terminal keeps turning Ctrl-C into a signal.
  const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: false })
  return new Promise<string>((resolve, reject) => {
    const stop = () => {
      reject(signal.reason)
      lines.close()
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    lines.on('close', () => {
      signal.removeEventListener('abort', stop)
      resolve('')
    })
    lines.question(question, (answer) => {
      resolve(answer)
      lines.close()
    })
  })
}
