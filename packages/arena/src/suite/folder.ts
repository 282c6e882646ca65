/** `joust-results/<run>/` while a suite runs: its finished trials and its traces. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, refuseLink } from '@joust/io'
import { err, messageOf, ok, type Result } from '@joust/source'
import { createFileNames } from '../model/file-names.ts'
import { loadResults, RESULTS_FILE } from '../results/folder.ts'
import { type TraceWriter, writeTrace } from '../trace/file.ts'
import { type FinishedTrials, type Identity, openFinishedTrials } from './finished-trials.ts'

const FINISHED_FILE = 'journal.jsonl'

/** A folder that is ready for results. */
export interface SuiteFolder {
  readonly path: string
  readonly finished: FinishedTrials
  /** The path of the trace of a run, relative to the folder. */
  traceOf(file: string, trial: number): string
  openTrace(file: string, trial: number): TraceWriter
  /** Whether a trace, by its path relative to the folder, is there. */
  hasTrace(trace: string): Promise<boolean>
}

/** What the results in a folder are about. */
export interface FolderUse {
  /** Continues from the results that are there; without it, a folder with results is left alone. */
  readonly resume?: boolean
  /** What distinguishes these results from another target's, by name; written beside the trials, so without secrets. */
  readonly identity?: Identity
  /** Files of the attacks that will be run; their traces are named after them. */
  readonly files?: readonly string[]
  readonly trials?: number
}

/** Why a folder cannot be used, in a code and a sentence. */
export interface SuiteFolderError {
  readonly code: 'already_used' | 'nothing_to_resume' | 'would_lose_results' | 'unusable' | 'unwritable'
  readonly message: string
}

/** Makes the folder, or opens the one to continue in. */
export async function openSuiteFolder(
  path: string,
  use: FolderUse = {},
): Promise<Result<SuiteFolder, SuiteFolderError>> {
  const { resume = false, identity = {}, files = [], trials = 1 } = use
  const fail = (code: SuiteFolderError['code'], message: string) => err({ code, message })
  const used = await isThere(join(path, FINISHED_FILE))
  if (resume && !used) return fail('nothing_to_resume', 'there are no results to resume from')
  if (!resume && (used || (await isThere(join(path, RESULTS_FILE)))))
    return fail('already_used', 'the folder already holds results')
  try {
    const traces = join(path, 'traces')
    refuseLink(traces)
    makeFolder(traces)
  } catch (thrown) {
    // A link is refused by us, everything else by the system.
    const code = thrown instanceof Error && 'code' in thrown ? 'unwritable' : 'unusable'
    return fail(code, `the folder traces in it cannot be made: ${messageOf(thrown)}`)
  }
  const lost = resume ? await lostBy(path, files, trials) : undefined
  if (lost !== undefined) return fail('would_lose_results', lost)
  const finished = openFinishedTrials(join(path, FINISHED_FILE), identity)
  if (!finished.ok) {
    const { code, message } = finished.error
    return fail(code === 'results-unwritable' ? 'unwritable' : 'unusable', message)
  }
  const nameOf = createFileNames(files)
  const traceOf = (file: string, trial: number) => `traces/${nameOf(file)}.${trial}.jsonl`
  return ok({
    path,
    finished: finished.value,
    traceOf,
    openTrace: (file, trial) => writeTrace(join(path, traceOf(file, trial))),
    hasTrace: (trace) => isThere(join(path, trace)),
  })
}

/** What earlier results hold that this suite would lose, as a sentence. */
async function lostBy(path: string, files: readonly string[], trials: number): Promise<string | undefined> {
  const before = await loadResults(path)
  // A suite that was killed left no results.
  if (!before.ok) return undefined
  const { results } = before.value
  const names = new Set(files)
  const attacks = results.targets.flatMap((target) => target.attacks)
  const first = attacks.find(({ file, trials: made }) => made.length > 0 && !names.has(file))
  if (first !== undefined) return `the results hold ${first.file}, which is not among the attacks now; name it as well`
  const most = results.suite.trials
  return trials < most ? `the results hold ${most} trials of each attack; --trials ${most} keeps them all` : undefined
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
