/** `--record` and `--replay`: a cassette for each run, and one for the judge. */
import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Redactor, ResultTarget, RunOptions } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import { err, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import type { OutputWords, TargetWords } from './options.ts'

/** The cassettes of a suite. */
export interface Cassettes {
  readonly mode: Cassette['mode']
  /** That of a run. Throws an `ArenaError` when it cannot be opened. */
  open(file: string, trial: number): Cassette
  /** Closes that of a run, if it is open. */
  close(file: string, trial: number): void
  /** That of the judge, which all runs ask. */
  judge(): Cassette
}

/** What can be recorded; whoever else is attacked makes calls that nobody here sees. */
const recordable: readonly ResultTarget['kind'][] = ['agent', 'model', 'endpoint']

/** A name that no file has. */
const JUDGE = { attack: ':judge', trial: 0 }

/** Reads the options; undefined when neither was given. */
export async function planCassettes(
  words: OutputWords & TargetWords,
  about: ResultTarget,
  redactor: Redactor,
  io: Io,
): Promise<Result<Cassettes | undefined, string>> {
  const mode = words.record === undefined ? 'replay' : 'record'
  const word = words.record ?? words.replay
  if (word === undefined) return ok(undefined)
  if (!recordable.includes(about.kind) || (words.target ?? []).some((pair) => !/^\w+=https?:/.test(pair)))
    return err(`--${mode} takes models and URLs: give --agent, --model or --target PROTOCOL=URL`)
  const folder = resolve(io.cwd, word)
  if (mode === 'replay' && !(await isFolder(folder))) return err(`--replay ${word}: there is no such folder`)
  const { openCassette } = await import('@joust/arena/cassette')
  const open = new Map<string, Cassette>()
  const options = { redact: redactor.value }
  return ok({
    mode,
    open(file, trial) {
      const cassette = openCassette(folder, mode, { attack: file, trial }, options)
      open.set(keyOf(file, trial), cassette)
      return cassette
    },
    close(file, trial) {
      open.get(keyOf(file, trial))?.close()
      open.delete(keyOf(file, trial))
    },
    // Runs that are resumed have asked it before.
    judge: () => openCassette(folder, mode, JUDGE, { ...options, append: words.resume !== undefined }),
  })
}

/** A run on a cassette: what it asks for and is not there is a fault of its target. */
export async function onCassette(options: RunOptions, cassette: Cassette | undefined): Promise<RunOptions> {
  if (options.target === undefined || cassette === undefined) return options
  const { replayedTarget } = await import('@joust/arena/cassette')
  return { ...options, target: replayedTarget(options.target, cassette) }
}

function keyOf(file: string, trial: number): string {
  return JSON.stringify([file, trial])
}

function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )
}
