/** The ledger of a suite: its runs and the first outcome of each. */

import type { Redacted, TraceHeader, TraceWriter, Trial } from '@joust/results'
import { type Outcome, outcomes } from '@joust/results'
import type { SuiteFolder } from './folder.ts'
import { keyText, type RunKey } from './run-key.ts'

/** A record of the runs of a suite and their results. */
export interface Ledger {
  /** Adds runs, ignores known runs, and returns those without a result. */
  submit(runs: readonly RunKey[]): Promise<readonly RunKey[]>
  /** Opens the trace of a run; undefined if traces are not stored. */
  openTrace(run: RunKey, header?: TraceHeader): RunTrace | undefined
  /** Records the result of a run. Only the first result counts; later results are ignored and return `late`. */
  finish(run: RunKey, trial: Redacted<Trial>): Promise<'recorded' | 'late'>
  progress(): Promise<LedgerProgress>
  /** The results of finished runs, in any order. */
  results(): AsyncIterable<LedgerEntry>
}

/** An open trace, and its path as given in the results. */
export interface RunTrace {
  readonly name: string
  readonly writer: TraceWriter
}

/** A finished run and its trial. */
export interface LedgerEntry {
  readonly run: RunKey
  readonly trial: Redacted<Trial>
}

/** The progress of a suite. */
export interface LedgerProgress {
  /** Number of submitted runs. */
  readonly runs: number
  /** Number of runs without a result. */
  readonly open: number
  readonly outcomes: Readonly<Record<Outcome, number>>
  /** Number of later results that were ignored. */
  readonly late: number
}

/** Returns a count of zero for each outcome. */
export function noOutcomes(): Record<Outcome, number> {
  // The entries cover all outcomes.
  return Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
}

interface Entry {
  readonly run: RunKey
  trial?: Redacted<Trial>
}

/** Creates a ledger. Trials in the folder count as finished, unless they are inconclusive or their trace is missing. */
export function createLedger(folder?: SuiteFolder): Ledger {
  const entries = new Map<string, Entry>()
  let late = 0
  return {
    async submit(runs) {
      for (const run of runs) {
        if (entries.has(keyText(run))) continue
        const trial = await earlierTrial(run, folder)
        entries.set(keyText(run), trial === undefined ? { run } : { run, trial })
      }
      return runs.filter((run) => entries.get(keyText(run))?.trial === undefined)
    },
    openTrace(run, header) {
      return folder && { name: folder.traceOf(run), writer: folder.openTrace(run, header) }
    },
    async finish(run, trial) {
      const entry = entries.get(keyText(run))
      if (entry === undefined || entry.trial !== undefined) {
        late += 1
        return 'late'
      }
      entry.trial = trial
      folder?.finished.add(run, trial)
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

async function earlierTrial(run: RunKey, folder: SuiteFolder | undefined): Promise<Redacted<Trial> | undefined> {
  const trial = folder?.finished.get(run)
  return trial !== undefined && (await folder?.hasTrace(trial.trace)) ? trial : undefined
}
