/** A pipe to a process that we start. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { createChannel } from './channel.ts'
import type { Pipe, PipeLine, PipeOpen } from './pipe.ts'
import { pumpLines, worldError, writeChunk } from './streams.ts'

/** What to start, and what it may send. */
export interface SpawnOptions {
  readonly command: string
  readonly args?: readonly string[]
  /** Laid over the environment of this process, which the child gets as well. */
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly maxLineBytes: number
  /** What the process writes to its standard error, as it comes. */
  readonly onStderr?: (text: string) => void
  /** How long each step of closing waits for the process to go, in milliseconds. */
  readonly graceMs?: number
}

/** How much of standard error `ending` shows. */
const TAIL = 2000

/** How long a process may take to die once it has been killed. */
const DYING_MS = 5000

/** A way to start a process, without a shell. On POSIX it gets a process group of its own, which ends with it. */
export function spawnPipe(options: SpawnOptions): PipeOpen {
  return async () => {
    try {
      return createPipe(await start(options), options)
    } catch (thrown) {
      const where = options.cwd === undefined ? '' : ` in ${options.cwd}`
      throw worldError('connect_failed', `cannot start ${JSON.stringify(options.command)}${where}`, thrown)
    }
  }
}

function start({ command, args = [], env, cwd }: SpawnOptions): Promise<ChildProcessWithoutNullStreams> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: 'pipe',
      detached: hasGroups,
      windowsHide: true,
      env: { ...process.env, ...env },
      ...(cwd === undefined ? {} : { cwd }),
    })
    // Both stay for good: writing to a process that is gone must not bring ours down.
    child.on('error', reject)
    child.stdin.on('error', () => {})
    child.once('spawn', () => resolve(child))
  })
}

const hasGroups = process.platform !== 'win32'

function createPipe(child: ChildProcessWithoutNullStreams, options: SpawnOptions): Pipe {
  const { maxLineBytes, graceMs = 1000 } = options
  const tail = keepTail(child, options.onStderr)
  let ending: string | undefined
  const tell = (why: string) => {
    ending ??= `${why}${tail() === '' ? '' : `; standard error ends with: ${tail()}`}`
  }
  const exited = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => resolve(code === null ? `ended by ${signal}` : `exited with code ${code}`))
  })
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
  signalGroup(child, 'SIGTERM')
  if (await withinTime(gone, graceMs)) return exited
  signalGroup(child, 'SIGKILL')
  const dead = await withinTime(exited, DYING_MS)
  // Otherwise someone outside the group holds the other ends of the streams.
  if (!(await withinTime(gone, graceMs))) for (const stream of child.stdio) stream?.destroy()
  if (dead) return exited
  child.unref()
  return 'closed, though the process does not end'
}

function signalGroup(child: ChildProcessWithoutNullStreams, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return
  try {
    if (hasGroups) process.kill(-child.pid, signal)
    else child.kill(signal)
  } catch {
    // Nobody is left to get it.
  }
}

/** Whether work ends within a time. */
function withinTime(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), milliseconds)
    void work.then(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
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
