/** Keeps the books of a suite: which runs there are, and the outcome of each, once. */
import { type Outcome, outcomes } from '../model/outcome.ts'
import type { Redacted } from '../model/redacted.ts'
import type { Trial } from '../results/model.ts'
import type { TraceWriter } from '../trace/file.ts'
import type { SuiteFolder } from './folder.ts'

/** Identifies a run: two with the same key are the same one. */
export interface RunKey {
  /** The name of the suite among others in the same books; empty where it is alone. */
  readonly campaign: string
  readonly target: string
  /** The name of the attack. */
  readonly file: string
  /** Counts from 1. */
  readonly trial: number
  /** The fingerprint of the document: a changed document is another run. */
  readonly fingerprint: string
}

/**
 * The runs of a suite. All first trials come before all second ones, so that a suite that is stopped has seen as many
 * attacks as possible.
 */
export function* plannedRuns(
  suite: { readonly campaign: string; readonly targets: readonly string[]; readonly trials: number },
  attacks: readonly Pick<RunKey, 'file' | 'fingerprint'>[],
): Generator<RunKey, void, void> {
  const { campaign, targets, trials } = suite
  for (let trial = 1; trial <= trials; trial++)
    for (const { file, fingerprint } of attacks)
      for (const target of targets) yield { campaign, target, file, trial, fingerprint }
}

/** The books. */
export interface Ledger {
  /** Enters runs; one that is there already stays as it is. Returns those that still have to be done. */
  submit(runs: readonly RunKey[]): Promise<readonly RunKey[]>
  /** Where the messages of a run go while it runs; undefined where none are kept. */
  openTrace(run: RunKey): RunTrace | undefined
  /** Enters the result of a run. Only the first result counts; any other is late and changes nothing. */
  finish(run: RunKey, trial: Redacted<Trial>): Promise<'recorded' | 'late'>
  progress(): Promise<LedgerProgress>
  /** The results of the runs that are done, in no particular order. */
  results(): AsyncIterable<LedgerEntry>
}

/** A trace that is being written, and its name in the results. */
export interface RunTrace {
  readonly name: string
  readonly writer: TraceWriter
}

/** A run that is done. */
export interface LedgerEntry {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
}

/** How far a suite has come. */
export interface LedgerProgress {
  /** All runs that were submitted. */
  readonly runs: number
  /** Those without a result. */
  readonly open: number
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Results that came too late to count. */
  readonly late: number
}

/** The key as text. */
export function keyText({ campaign, target, file, trial, fingerprint }: RunKey): string {
  return JSON.stringify([campaign, target, file, trial, fingerprint])
}

/** No result yet. */
export function noOutcomes(): Record<Outcome, number> {
  // Every outcome of the list has its entry.
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
}

interface Entry {
  readonly run: RunKey
  trial?: Redacted<Trial>
}

/** Opens the books. What the folder holds is done already, unless it is inconclusive or its trace is gone. */
export function createLedger(folder?: SuiteFolder): Ledger {
  const entries = new Map<string, Entry>()
  let late = 0
  return {
    async submit(runs) {
      for (const run of runs) {
        if (entries.has(keyText(run))) continue
        const trial = await earlier(run, folder)
        entries.set(keyText(run), trial === undefined ? { run } : { run, trial })
      }
      return runs.filter((run) => entries.get(keyText(run))?.trial === undefined)
    },
    openTrace({ file, trial }) {
      return folder && { name: folder.traceOf(file, trial), writer: folder.openTrace(file, trial) }
    },
    async finish(run, trial) {
      const entry = entries.get(keyText(run))
      if (entry === undefined || entry.trial !== undefined) {
        late += 1
        return 'late'
      }
      entry.trial = trial
      folder?.finished.add(run.file, run.fingerprint, trial)
      return 'recorded'
    },
    async progress() {
      const outcomes = noOutcomes()
      let open = 0
      for (const { trial } of entries.values()) {
        if (trial === undefined) open += 1
        else outcomes[trial.outcome] += 1
      }
      return { runs: entries.size, open, outcomes, late }
    },
    async *results() {
      for (const { run, trial } of entries.values()) if (trial !== undefined) yield { run, trial }
    },
  }
}

async function earlier(run: RunKey, folder: SuiteFolder | undefined): Promise<Redacted<Trial> | undefined> {
  const known = folder?.finished.get(run.file, run.trial, run.fingerprint)
  return known !== undefined && (await folder?.hasTrace(known.trace)) ? known : undefined
}
