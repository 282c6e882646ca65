/** The folder of a running suite, `joust-results/<run>/`, which contains the journal and the traces. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, refuseLink } from '@joust/io'
import type { TraceHeader, TraceWriter } from '@joust/results'
import { createFileNames, loadResults, RESULTS_FILE, writeTrace } from '@joust/results/files'
import { err, errorCode, messageOf, ok, type Result } from '@joust/source'
import { type FinishedTrials, type Identity, openFinishedTrials } from './finished-trials.ts'
import { type Arm, armSuffix, type SuiteRunKey } from './run-key.ts'

const FINISHED_FILE = 'journal.jsonl'

type TraceKey = Pick<SuiteRunKey, 'file' | 'arm' | 'trial'>

/** An open folder of a suite. */
export interface SuiteFolder {
  readonly path: string
  readonly finished: FinishedTrials
  /** Returns the path of a trace, relative to the folder. */
  traceOf(run: TraceKey): string
  openTrace(run: TraceKey, header?: TraceHeader): TraceWriter
  /** True if a trace exists; the path is relative to the folder. */
  hasTrace(trace: string): Promise<boolean>
}

/** Options for opening a folder. */
export interface FolderUse {
  /** Resumes from the results in the folder. Otherwise, a folder with results is rejected. @default false */
  readonly resume?: boolean
  /** Properties that identify the target, by name. The journal contains them, so they must not contain secrets. */
  readonly identity?: Identity
  /** Names of the attack files, from which the names of traces are derived. */
  readonly files?: readonly string[]
  /** Maximum number of trials per attack, by arm. */
  readonly most?: Readonly<Record<Arm, number>>
}

/** The reason why a folder cannot be used. */
export interface SuiteFolderError {
  readonly code: 'already_used' | 'nothing_to_resume' | 'would_lose_results' | 'unusable' | 'unwritable'
  readonly message: string
}

const ONE_RUN = { attack: 1, placebo: 0, sensitivity: 0 } as const

/**
 * Creates a folder, or opens an existing folder to resume.
 *
 * @example
 * const folder = unwrap(await openSuiteFolder('out', { files: ['time-bomb'] }))
 * const suite = runSuite([{ file: 'time-bomb', attack }], { folder, run: () => ({ target }) })
 */
export async function openSuiteFolder(
  path: string,
  use: FolderUse = {},
): Promise<Result<SuiteFolder, SuiteFolderError>> {
  const { resume = false, identity = {}, files = [], most = ONE_RUN } = use
  const fail = (code: SuiteFolderError['code'], message: string) => err({ code, message })
  const used = await isThere(join(path, FINISHED_FILE))
  if (resume && !used) return fail('nothing_to_resume', 'no results to resume from')
  if (!resume && (used || (await isThere(join(path, RESULTS_FILE)))))
    return fail('already_used', 'the folder already contains results')
  try {
    const traces = join(path, 'traces')
    refuseLink(traces)
    makeFolder(traces)
  } catch (thrown) {
    // System errors have a code; a refused link does not.
    const code = errorCode(thrown) !== undefined ? 'unwritable' : 'unusable'
    return fail(code, `cannot create the folder "traces": ${messageOf(thrown)}`)
  }
  const loss = resume ? await lossOf(path, files, most) : undefined
  if (loss !== undefined) return fail('would_lose_results', loss)
  const finished = openFinishedTrials(join(path, FINISHED_FILE), identity)
  if (!finished.ok) {
    const { code, message } = finished.error
    return fail(code === 'results-unwritable' ? 'unwritable' : 'unusable', message)
  }
  const nameOf = createFileNames(files)
  const traceOf = ({ file, arm, trial }: TraceKey) => `traces/${nameOf(file)}${armSuffix(arm)}.${trial}.jsonl`
  return ok({
    path,
    finished: finished.value,
    traceOf,
    openTrace: (run, header) => writeTrace(join(path, traceOf(run)), header),
    hasTrace: (trace) => isThere(join(path, trace)),
  })
}

/** Returns a message if this suite would lose earlier results; undefined if it keeps all of them. */
async function lossOf(
  path: string,
  files: readonly string[],
  { attack: trials, placebo, sensitivity }: Readonly<Record<Arm, number>>,
): Promise<string | undefined> {
  const before = await loadResults(path)
  // A killed suite has no results file.
  if (!before.ok) return undefined
  const { results } = before.value
  const names = new Set(files)
  const attacks = results.targets.flatMap((target) => target.attacks)
  const first = attacks.find(({ file, trials: earlier }) => earlier.length > 0 && !names.has(file))
  if (first !== undefined) return `the earlier results contain ${first.file}, which is not part of this suite; add it`
  if (placebo === 0 && attacks.some(({ placebo_trials = [] }) => placebo_trials.length > 0))
    return 'the earlier results have runs without the bait; use --arms placebo'
  if (sensitivity === 0 && attacks.some(({ controls }) => controls?.sensitivity !== undefined))
    return 'the earlier results have runs with a different model; use --arms sensitivity'
  const { trials: most, decide } = results.suite
  const use = decide === undefined ? `--trials ${most}` : `--trials auto --max-trials ${most}`
  return trials < most
    ? `the earlier results have up to ${most} trials per attack, this suite has ${trials}; use ${use}`
    : undefined
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
