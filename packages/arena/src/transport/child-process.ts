/** A pipe to a process that we start. */
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
import { pumpLines, worldError, writeChunk } from './streams.ts'

/** What to start; `env` is added to the minimum that a program needs. */
export interface SpawnOptions extends ProcessOptions {
  readonly maxLineBytes: number
  /** Called with what the process writes to its standard error, as it comes. */
  readonly onStderr?: (text: string) => void
  /** How long each step of closing waits for the process to end, in milliseconds. */
  readonly closeMs?: number
}

/** A way to start a process, without a shell. On POSIX it gets a process group of its own, which ends with it. */
export function spawnPipe(options: SpawnOptions): PipeOpen {
  return async () => createPipe(await startChild(options), options)
}

/** Starts a process with `env` and the minimum of our environment that programs need. Rejects with an `ArenaError`. */
export async function startChild({ command, args = [], env, cwd }: ProcessOptions): Promise<RunningProcess> {
  const place = cwd === undefined ? {} : { cwd }
  try {
    return await startProcess({ command, args, env: { ...childEnvironment(), ...env }, ...place })
  } catch (thrown) {
    const where = cwd === undefined ? '' : ` in ${cwd}`
    throw worldError('connect_failed', `cannot start ${JSON.stringify(command)}${where}`, thrown)
  }
}

function createPipe(child: RunningProcess, options: SpawnOptions): Pipe {
  const { maxLineBytes, closeMs = arenaLimits.pipeCloseMs } = options
  const tail = keepTail([child.stderr], arenaLimits.pipeErrorText, options.onStderr)
  let ending: string | undefined
  const tell = (why: string) => {
    const said = tail().trim()
    ending ??= `${why}${said === '' ? '' : `; standard error ends with: ${said}`}`
  }
  const gone = child.gone.then(({ text }) => {
    tell(text)
    // Whatever it left behind in its group; the system does not reuse the number this soon.
    child.signal('SIGKILL')
  })
  let closing: Promise<void> | undefined
  const close = () => {
    lines.cancel()
    closing ??= child.close(closeMs).then(async (ended) => {
      tell(ended ? (await child.exited).text : 'closed, although the process has not ended')
    })
    return closing
  }
  const lines = lineChannel(() => void close())
  void pumpLines(child.stdout, lines, maxLineBytes).then(async () => {
    // The exit usually comes next; a process that only closed its output must not hold up the reader.
    await endsWithin(gone, closeMs)
    // A process that is being closed is reported on once it has ended.
    if (closing === undefined) tell('closed its output')
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
