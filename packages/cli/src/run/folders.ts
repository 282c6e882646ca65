/** The results folder of a run, with one subfolder per target if there are several. */
import { existsSync, lstatSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ArenaError } from '@joust/arena'
import type { Redacted, Results } from '@joust/results'
import { loadResults, RESULTS_FILE, RESULTS_HOME } from '@joust/results/files'
import { err, ok, type Result } from '@joust/source'
import { mostTrials, openSuiteFolder, type SuiteAttack, type SuiteFolder } from '@joust/trials'
import { targetIdentity } from '../target/identity.ts'
import type { Io } from '../terminal/io.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { redactTarget } from './redaction.ts'

export interface ResultFolders {
  /** The results folder as given by the user. */
  readonly word: string
  readonly home: string
  /** Folders of the targets, in order. */
  readonly folders: readonly SuiteFolder[]
  /** Earlier results, if the run resumes some of their targets. */
  readonly earlier?: Redacted<Results>
}

/** Creates the folders, or opens existing folders to resume. Throws on system errors. */
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
    const place = { word, under: target.under, resume: resume !== undefined && hasBegun(home, target) }
    const opened = await openFolder(target, run.selection.attacks, place, io)
    if (!opened.ok) return opened
    folders.push(opened.value)
  }
  return ok({ word, home, folders, ...(earlier?.ok && { earlier: earlier.value.results }) })
}

/** True if the runs of a target had begun before they were stopped, which is always true of a single target. */
function hasBegun(home: string, { under }: PreparedTarget): boolean {
  return under === '' || existsSync(join(home, under))
}

function matrixFault({ options, targets }: PreparedRun, word: string, home: string): string | undefined {
  if (options.resume === undefined) {
    if (!existsSync(join(home, RESULTS_FILE))) return undefined
    return `${word}: the folder already contains results; use --resume ${word} to continue, or another folder for --out`
  }
  if (targets.some(({ under }) => existsSync(join(home, under)))) return undefined
  return `--resume ${word}: the folder has no results for these targets`
}

/** Opens the folder of a target: a new folder at `word` or, with `resume`, an existing folder. */
export async function openFolder(
  { chosen, plan, suite }: Pick<PreparedTarget, 'chosen' | 'plan' | 'suite'>,
  attacks: readonly SuiteAttack[],
  { word, under = '', resume }: FolderPlace,
  io: Io,
): Promise<Result<SuiteFolder, string>> {
  const about = redactTarget(plan.about, suite.redactor)
  const home = resolve(io.cwd, word)
  if (under !== '' && isLink(join(home, under))) return err(`${join(word, under)}: a symbolic link is not followed`)
  const folder = await openSuiteFolder(join(home, under), {
    resume,
    identity: await targetIdentity(chosen, { ...plan, about }, io),
    files: attacks.map(({ file }) => file),
    most: mostTrials(suite),
  })
  if (folder.ok) return ok(folder.value)
  const { code, message } = folder.error
  const hint = code === 'already_used' ? `; use --resume ${word} to continue, or another folder for --out` : ''
  const fault = `${resume ? '--resume ' : ''}${join(word, under)}: ${message}${hint}`
  if (code === 'unwritable') throw new ArenaError('trace_failed', fault)
  return err(fault)
}

function isLink(path: string): boolean {
  return existsSync(path) && lstatSync(path).isSymbolicLink()
}

interface FolderPlace {
  readonly word: string
  /** The subfolder of the target, if there are several targets. */
  readonly under?: string
  readonly resume: boolean
}

/** Returns the name of a new results folder: a prefix and the time. */
export function freshFolder(cwd: string, prefix = ''): string {
  const name = `${RESULTS_HOME}/${prefix}${stamp(new Date())}`
  let word = name
  for (let number = 2; existsSync(resolve(cwd, word)); number += 1) word = `${name}-${number}`
  return word
}

export function stamp(now: Date): string {
  return now.toISOString().slice(0, 19).replaceAll(':', '-')
}
