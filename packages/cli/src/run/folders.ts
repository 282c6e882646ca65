/** Where the results of a run go: one folder, containing one for each target where there are several. */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { loadResults, RESULTS_FILE, type Redacted, type Results, type SuiteFolder } from '@joust/arena'
import { err, ok, type Result } from '@joust/source'
import type { Io } from '../terminal/io.ts'
import type { PreparedRun, PreparedTarget } from './prepare.ts'
import { freshFolder, openFolder } from './suite.ts'

/** The folders of a run that can begin. */
export interface RunFolders {
  /** The folder of the results of all targets, as the user names it. */
  readonly word: string
  /** The same, absolute. */
  readonly home: string
  /** One for each target, in their order. */
  readonly folders: readonly SuiteFolder[]
  /** Earlier results of several targets, where a run continues some of them. */
  readonly earlier?: Redacted<Results>
}

/** Makes the folders, or opens those to continue in; the error is a sentence. */
export async function openFolders(run: PreparedRun, io: Io): Promise<Result<RunFolders, string>> {
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
    if (!opened.ok) {
      await Promise.all(folders.map(({ finished }) => finished.close()))
      return opened
    }
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
