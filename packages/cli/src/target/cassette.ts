/** `--record` and `--replay`: a cassette for each run, and one for the judge. */
import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { AttackOptions, Redactor } from '@joust/arena'
import type { Cassette } from '@joust/arena/cassette'
import { err, ok, type Result } from '@joust/source'
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

/** Names that no file has. */
const JUDGE = { attack: ':judge', trial: 0 }
const ATTACKER = { attack: ':attacker', trial: 0 }

/** Reads the options; undefined when neither was given. */
export async function planCassettes(
  { record, replay, resume, target = {} }: RunOptions,
  under: string,
  redactor: Redactor,
  io: Io,
): Promise<Result<Cassettes | undefined, string>> {
  const mode = record === undefined ? 'replay' : 'record'
  const given = record ?? replay
  if (given === undefined) return ok(undefined)
  // What a command does cannot be seen from here.
  if (Object.values(target).some((place) => !isUrl(place)))
    return err(`--${mode} takes models and URLs: give --agent, --model or --target PROTOCOL=URL`)
  // Several targets have a folder each.
  const folder = join(resolve(io.cwd, given), under)
  if (mode === 'replay' && !(await isFolder(folder))) return err(`--replay ${given}: there is no such folder`)
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
    // Resumed runs have already asked the judge.
    judge: () => openCassette(folder, mode, JUDGE, { ...options, append: resume !== undefined }),
    attacker: () => openCassette(folder, mode, ATTACKER, { ...options, append: resume !== undefined }),
  })
}

/** A run with a cassette: a call that was not recorded is a fault of its target. */
export async function onCassette(options: AttackOptions, cassette: Cassette | undefined): Promise<AttackOptions> {
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
