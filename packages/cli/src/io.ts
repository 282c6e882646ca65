import { exitCodes } from './exit-codes.ts'

/** The world as commands see it, so that tests can hand in another one. */
export interface Io {
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  readonly stdout: Output
  readonly stderr: Output
  /** The bytes of standard input, at most `limit` + 1 of them. */
  readonly stdin: (limit: number) => Promise<Uint8Array>
}

/** A stream that takes text. */
export interface Output {
  readonly isTTY: boolean
  write(text: string): void
}

/** The streams and environment of this process. */
export function processIo(): Io {
  return {
    cwd: process.cwd(),
    env: process.env,
    stdout: output(process.stdout),
    stderr: output(process.stderr),
    stdin: readStdin,
  }
}

/** A reader that goes away (`| head -1`) is no failure: the rest is dropped, the exit code stays what it is. */
function output(stream: NodeJS.WriteStream): Output {
  let gone = false
  stream.on('error', (error: NodeJS.ErrnoException) => {
    gone = true
    if (error.code === 'EPIPE' || stream === process.stderr) return
    process.stderr.write(`joust: the output cannot be written: ${error.message}\n`)
    process.exit(exitCodes.failure)
  })
  return {
    isTTY: stream.isTTY === true,
    write: (text) => {
      if (!gone) stream.write(text)
    },
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
