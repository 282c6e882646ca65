/** `--record` and `--replay`: a cassette for each run, and one for the judge. */
import { join, resolve } from 'node:path'
import type { AttackOptions } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import type { Redactor } from '@joust/results'
import { err, ok, type Result } from '@joust/source'
import { isDirectory } from '../input/discover.ts'
import type { RunOptions } from '../options/run.ts'
import { isUrl } from '../options/values.ts'
import type { Io } from '../terminal/io.ts'

/** The cassettes of a suite. */
export interface Cassettes {
  readonly mode: Cassette['mode']
  /** The cassette of a run. Throws an `ArenaError` when it cannot be opened. */
  open(file: string, trial: number): Cassette
  /** Closes the cassette of a run, if it is open. */
  close(file: string, trial: number): void
  /** The cassette of the judge, which all runs use. */
  judge(): Cassette
  attacker(): Cassette
}

/** Names that no attack file has. */
const JUDGE = { attack: ':judge', trial: 0 }
const ATTACKER = { attack: ':attacker', trial: 0 }

/** Reads the options; undefined without either of them. */
export async function planCassettes(
  { record, replay, resume, target = {} }: RunOptions,
  under: string,
  redactor: Redactor,
  io: Io,
): Promise<Result<Cassettes | undefined, string>> {
  const mode = record === undefined ? 'replay' : 'record'
  const word = record ?? replay
  if (word === undefined) return ok(undefined)
  // Calls of a command are not visible.
  if (Object.values(target).some((place) => !isUrl(place)))
    return err(`--${mode} supports models and URLs only: use --agent, --model or --target PROTOCOL=URL`)
  // Several targets have a folder each.
  const folder = join(resolve(io.cwd, word), under)
  if (mode === 'replay' && !isDirectory(folder)) return err(`--replay ${word}: no such folder`)
  const { openCassette } = await import('@joust/arena/cassette')
  const open = new Map<string, Cassette>()
  const options = { redact: redactor.value, secrets: redactor.secrets }
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
    // Resumed runs have already been judged.
    judge: () => openCassette(folder, mode, JUDGE, { ...options, append: resume !== undefined }),
    attacker: () => openCassette(folder, mode, ATTACKER, { ...options, append: resume !== undefined }),
  })
}

/** A run with a cassette; a call without a recording is an error of its target. */
export async function onCassette(options: AttackOptions, cassette: Cassette | undefined): Promise<AttackOptions> {
  if (options.target === undefined || cassette === undefined) return options
  const { replayedTarget } = await import('@joust/arena/cassette')
  return { ...options, target: replayedTarget(options.target, cassette) }
}

function keyOf(file: string, trial: number): string {
  return JSON.stringify([file, trial])
}
