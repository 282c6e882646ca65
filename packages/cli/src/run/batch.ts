/** What a search runs: a suite for each batch; those that are kept are in folders below that of the results. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type BudgetLimits, RESULTS_FILE, type Redacted, type Results, type SuiteAttack } from '@joust/arena'
import type { RunOptions } from '../options/run.ts'
import { type Io, wrongUsage } from '../terminal/io.ts'
import { freshFolder, openFolder } from './folders.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { attackTarget, attackUntilStopped, type SuiteJob } from './suite.ts'

/** The search that a batch is part of. */
export interface Search {
  readonly prepared: Pick<PreparedRun, 'options' | 'redactor'>
  readonly target: PreparedTarget
  /** The folder of the results, as the user names it. */
  readonly word: string
  readonly signal: AbortSignal
}

/** What a batch says about its suite. */
interface Batch extends Pick<SuiteJob, 'loudness' | 'skipControl' | 'onEvent' | 'onAgentEvent'> {
  readonly name: string
  readonly attacks: readonly SuiteAttack[]
  readonly trials?: number | undefined
  readonly isKept: boolean
}

/** Attacks the target of a search once more; `target` is that target for this batch. */
export async function attackBatch(
  { prepared, word, signal, ...search }: Search,
  target: PreparedTarget['target'],
  { name, attacks, trials, isKept, ...suite }: Batch,
  budget: BudgetLimits,
  io: Io,
): Promise<Redacted<Results>> {
  const { given, judge, cassettes, plan } = search.target
  const shared = {
    target,
    plan: { ...plan, budget, ...(trials === undefined ? {} : { trials }) },
    redactor: prepared.redactor,
    selection: { attacks, broken: [] },
  }
  const folder = isKept ? await openFolder(given, { word, under: name, resume: false }, shared, io) : undefined
  if (folder?.ok === false) throw new Error(folder.error)
  return attackTarget(
    {
      ...shared,
      ...suite,
      cassettes,
      folder: folder?.value,
      judge: signal.aborted ? undefined : judge,
      allowHosts: given.options.allowHost,
      signal,
    },
    io,
  )
}

/** Searches into a folder that has no results yet, until done or stopped. */
export async function searchInto(
  { out }: Pick<RunOptions, 'out'>,
  prefix: string,
  io: Io,
  search: (word: string, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  const word = out ?? freshFolder(io.cwd, prefix)
  if (existsSync(join(resolve(io.cwd, word), RESULTS_FILE)))
    return wrongUsage([`${word}: the folder already holds results; --out names another folder`], io)
  return attackUntilStopped(io, (signal) => search(word, signal))
}
