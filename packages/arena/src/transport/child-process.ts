/** A pipe to a process that we start. */
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import type { Pipe, PipeLine, PipeOpen } from '../model/pipe.ts'
import { createChannel } from './channel.ts'
import { endProcess, exitOf, type ProcessOptions, signalGroup, startProcess, withinTime } from './process-group.ts'
import { pumpLines, writeChunk } from './streams.ts'

/** What to start, and what it may send. */
export interface SpawnOptions extends ProcessOptions {
  readonly maxLineBytes: number
  /** What the process writes to its standard error, as it comes. */
  readonly onStderr?: (text: string) => void
  /** How long each step of closing waits for the process to go, in milliseconds. */
  readonly graceMs?: number
}

/** How much of standard error `ending` shows. */
const TAIL = 2000

/** A way to start a process, without a shell. On POSIX it gets a process group of its own, which ends with it. */
export function spawnPipe(options: SpawnOptions): PipeOpen {
  return async () => createPipe(await startProcess(options), options)
}

function createPipe(child: ChildProcessWithoutNullStreams, options: SpawnOptions): Pipe {
  const { maxLineBytes, graceMs = 1000 } = options
  const tail = keepTail(child, options.onStderr)
  let ending: string | undefined
  const tell = (why: string) => {
    ending ??= `${why}${tail() === '' ? '' : `; standard error ends with: ${tail()}`}`
  }
  const exited = exitOf(child).then(({ text }) => text)
  const gone = new Promise<void>((resolve) => {
    // After the exit, once both outputs are read to their end.
    child.once('close', async () => {
      tell(await exited)
      // Whatever it left behind in its group; the number is not given away again this soon.
      signalGroup(child, 'SIGKILL')
      resolve()
    })
  })
  let closing: Promise<void> | undefined
  const close = () => {
    lines.cancel()
    closing ??= shutDown(child, exited, gone, graceMs).then(tell)
    return closing
  }
  const lines = createChannel<PipeLine>(
    ({ text }) => text.length,
    () => void close(),
  )
  void pumpLines(child.stdout, lines, maxLineBytes).then(async () => {
    // The exit is usually next; a process that only closed its output shall not keep the reader.
    await withinTime(gone, graceMs)
    tell('closed its output')
    lines.end()
  })
  return {
    lines: lines.items,
    async send(line) {
      if (closing === undefined) await writeChunk(child.stdin, `${line}\n`)
    },
    ending: () => ending,
    close,
  }
}

/** Asks the process to go, ever less politely, and says how it went. Bounded. */
async function shutDown(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<string>,
  gone: Promise<void>,
  graceMs: number,
): Promise<string> {
  child.stdin.end()
  if (await withinTime(gone, graceMs)) return exited
  return (await endProcess(child, exited, gone, graceMs)) ? exited : 'closed, though the process does not end'
}

function keepTail(child: ChildProcessWithoutNullStreams, onStderr?: (text: string) => void): () => string {
  let tail = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    tail = `${tail}${text}`.slice(-TAIL)
    onStderr?.(text)
  })
  child.stderr.on('error', () => {})
  return () => tail.trim()
}
