import {
  childEnvironment,
  endsWithin,
  keepTail,
  type ProcessOptions,
  type RunningProcess,
  startProcess,
} from '@joust/io'
import { arenaLimits } from '../model/limits.ts'
import type { Pipe, PipeOpen } from '../model/wiring.ts'
import { lineChannel } from './channel.ts'
import { environmentError, pumpLines, writeChunk } from './streams.ts'

/** The process to start; `env` is added to a minimal environment. */
export interface SpawnOptions extends ProcessOptions {
  readonly maxLineBytes: number
  /** Called with chunks of standard error. @default none: they are dropped */
  readonly onStderr?: (text: string) => void
  /** Time limit for each closing step, in milliseconds. @default arenaLimits.pipeCloseMs */
  readonly closeMs?: number
}

/** Starts a process without a shell. On POSIX it gets its own process group, which is killed when it exits. */
export function spawnPipe(options: SpawnOptions): PipeOpen {
  return async () => createPipe(await startChild(options), options)
}

/** Starts a process with `env` and a minimal environment. Rejects with an `ArenaError`. */
export async function startChild(options: ProcessOptions): Promise<RunningProcess> {
  const { command, cwd } = options
  try {
    return await startProcess({ ...options, env: { ...childEnvironment(), ...options.env } })
  } catch (thrown) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    throw environmentError('connect_failed', `cannot start ${JSON.stringify(command)}${where}`, thrown)
  }
}

function createPipe(child: RunningProcess, options: SpawnOptions): Pipe {
  const { maxLineBytes, closeMs = arenaLimits.pipeCloseMs } = options
  const tail = keepTail([child.stderr], arenaLimits.pipeErrorText, options.onStderr)
  let ending: string | undefined
  const setEnding = (reason: string) => {
    const stderr = tail().trim()
    ending ??= `${reason}${stderr === '' ? '' : `; stderr: ${stderr}`}`
  }
  const gone = child.gone.then(({ text }) => {
    setEnding(text)
    // Kill the rest of the process group; the system does not reuse the id this soon.
    child.signal('SIGKILL')
  })
  let closing: Promise<void> | undefined
  const close = () => {
    lines.cancel()
    closing ??= child.close(closeMs).then(async (ended) => {
      setEnding(ended ? (await child.exited).text : 'closed, but the process has not exited')
    })
    return closing
  }
  const lines = lineChannel(() => void close())
  void pumpLines(child.stdout, lines, maxLineBytes).then(async () => {
    // The exit usually follows. A process that only closed its output must not block the reader.
    await endsWithin(gone, closeMs)
    // While closing, the process exit is the reason.
    if (closing === undefined) setEnding('closed its output')
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
