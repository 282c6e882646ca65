/** Runs the batches of a search as suites, in folders below the results folder. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Redacted, ResultPreflight, Results } from '@joust/results'
import { RESULTS_FILE } from '@joust/results/files'
import { defined } from '@joust/source'
import type { SuiteAttack } from '@joust/trials'
import type { RunOptions } from '../options/run.ts'
import type { Verbosity } from '../render/progress.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'
import { freshFolder, openFolder } from './folders.ts'
import type { PreparedTarget } from './prepare.ts'
import { runWithProgress, untilStopped } from './suite.ts'
import type { CommandSuite } from './suite-options.ts'

export interface Search {
  readonly target: PreparedTarget
  /** The results folder as given by the user. */
  readonly word: string
  readonly signal: AbortSignal
}

interface Batch extends Partial<CommandSuite> {
  readonly name: string
  readonly attacks: readonly SuiteAttack[]
  readonly isKept: boolean
  readonly loudness: Verbosity
}

export async function runBatch(
  { target, word, signal }: Search,
  { name, attacks, isKept, loudness, ...changes }: Batch,
  io: Io,
): Promise<Redacted<Results>> {
  // A search compares baits with each other, not with a placebo.
  const before = preflights.get(target)
  const suite = { ...target.suite, arms: 'none' as const, ...defined({ preflight: before }), ...changes, signal }
  const place = { word, under: name, resume: false }
  const folder = isKept ? await openFolder({ ...target, suite }, attacks, place, io) : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  const { recordings } = target
  const own = { ...suite, ...defined({ folder: folder?.value }) }
  const results = await runWithProgress(attacks, own, { loudness, recordings }, io)
  const preflight = results.targets[0]?.preflight
  if (preflight?.status === 'passed') preflights.set(target, preflight)
  return results
}

/** Preflight results by target, so that the preflight is not repeated for each batch. */
const preflights = new WeakMap<Search['target'], ResultPreflight>()

/** Runs a search in a new results folder until it has finished or is stopped. */
export async function searchInto(
  { out }: Pick<RunOptions, 'out'>,
  prefix: string,
  io: Io,
  search: (word: string, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const word = out ?? freshFolder(io.cwd, prefix)
  if (existsSync(join(resolve(io.cwd, word), RESULTS_FILE)))
    return wrongUsage([`${word}: the folder already contains results; use another folder for --out`], io)
  return untilStopped(io, (signal) => search(word, signal))
}
