/** Where the results of a run go: one folder, containing one for each target where there are several. */
import { existsSync, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import {
  ArenaError,
  loadResults,
  openSuiteFolder,
  RESULTS_FILE,
  RESULTS_HOME,
  type Redacted,
  type Results,
  type SuiteFolder,
} from '@joust/arena'
import { err, ok, type Result } from '@joust/source'
import type { RunTarget } from '../project/choose.ts'
import { targetIdentity } from '../target/identity.ts'
import type { Io } from '../terminal/io.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { redactTarget } from './redaction.ts'
import type { SuiteJob } from './suite.ts'

/** The folders of a run that can begin. */
export interface ResultFolders {
  /** The folder of the results of all targets, as the user names it. */
  readonly word: string
  /** The same, absolute. */
  readonly home: string
  /** One for each target, in their order. */
  readonly folders: readonly SuiteFolder[]
  /** Earlier results of several targets, where a run continues some of them. */
  readonly earlier?: Redacted<Results>
}

/** Makes the folders, or opens those to continue in; the error is a sentence. Throws where the system refuses. */
export async function openFolders(run: PreparedRun, io: Io): Promise<Result<ResultFolders, string>> {
  const { out, resume } = run.options
  const word = resume ?? out ?? freshFolder(io.cwd)
  const home = resolve(io.cwd, word)
  const fault = run.targets.length > 1 ? matrixFault(run, word, home) : undefined
  if (fault !== undefined) return err(fault)
  const isOfSeveral = run.targets.some(({ under }) => under !== '')
  const earlier = resume !== undefined && isOfSeveral ? await loadResults(home) : undefined
  const folders: SuiteFolder[] = []
  for (const target of run.targets) {
    const opened = await openFolder(
      target.given,
      { word, under: target.under, resume: resume !== undefined && hasBegun(home, target) },
      { ...target, selection: run.selection, redactor: run.redactor },
      io,
    )
    if (!opened.ok) return opened
    folders.push(opened.value)
  }
  return ok({ word, home, folders, ...(earlier?.ok && { earlier: earlier.value.results }) })
}

/** A matrix that was stopped may not have reached all of its targets; a single target has always begun. */
function hasBegun(home: string, { under }: PreparedTarget): boolean {
  return under === '' || existsSync(join(home, under))
}

function matrixFault({ options, targets }: PreparedRun, word: string, home: string): string | undefined {
  if (options.resume === undefined) {
    if (!existsSync(join(home, RESULTS_FILE))) return undefined
    return `${word}: the folder already holds results; --resume ${word} continues from them, --out names another folder`
  }
  if (targets.some(({ under }) => existsSync(join(home, under)))) return undefined
  return `--resume ${word}: there are no results of these targets to resume from`
}

/** The folder of a target: a new one at `word`, or with `resume` the one to continue in. Errors are as above. */
export async function openFolder(
  given: RunTarget,
  { word, under = '', resume }: FolderPlace,
  { selection, target, plan, redactor }: Pick<SuiteJob, 'selection' | 'target' | 'plan' | 'redactor'>,
  io: Io,
): Promise<Result<SuiteFolder, string>> {
  const about = redactTarget(target.about, redactor)
  const home = resolve(io.cwd, word)
  if (under !== '' && isLink(join(home, under))) return err(`${join(word, under)}: a symbolic link is not followed`)
  const folder = await openSuiteFolder(join(home, under), {
    resume,
    identity: await targetIdentity(given, { ...target, about }, io),
    files: selection.attacks.map(({ file }) => file),
    trials: plan.trials,
  })
  if (folder.ok) return ok(folder.value)
  const { code, message } = folder.error
  const hint = code === 'already_used' ? `; --resume ${word} continues from them, --out names another folder` : ''
  const fault = `${resume ? '--resume ' : ''}${join(word, under)}: ${message}${hint}`
  if (code === 'unwritable') throw new ArenaError('trace_failed', fault)
  return err(fault)
}

function isLink(path: string): boolean {
  return existsSync(path) && lstatSync(path).isSymbolicLink()
}

/** Where results go. */
interface FolderPlace {
  /** As the user names it. */
  readonly word: string
  /** Its name below that, where there are several targets. */
  readonly under?: string
  /** Whether to continue from what is there. */
  readonly resume: boolean
}

/** A new folder for results, named by what made them and by the time. */
export function freshFolder(cwd: string, prefix = ''): string {
  const name = `${RESULTS_HOME}/${prefix}${stamp(new Date())}`
  let word = name
  for (let number = 2; existsSync(resolve(cwd, word)); number += 1) word = `${name}-${number}`
  return word
}

/** A time that can be part of the name of a folder. */
export function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(':', '-')
}
