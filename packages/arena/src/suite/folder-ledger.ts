/** The books of a suite in this process: in memory, and in a folder where there is one. */
import type { Redacted } from '../model/redacted.ts'
import type { Trial } from '../results/model.ts'
import type { SuiteFolder } from './folder.ts'
import { keyText, type Ledger, noOutcomes, type RunKey } from './ledger.ts'

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
      await folder?.journal.add(run.file, run.fingerprint, trial)
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
  const known = folder?.journal.get(run.file, run.trial, run.fingerprint)
  return known !== undefined && (await folder?.hasTrace(known.trace)) ? known : undefined
}
