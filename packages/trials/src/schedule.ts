/** Submits the runs of a suite to the ledger as results require them, and reuses earlier results. */

import type { Redacted, Trial } from '@joust/results'
import type { Arms } from './arms.ts'
import type { Ledger } from './ledger.ts'
import type { SuiteTrial } from './options.ts'
import { keyText, type RunKey } from './run-key.ts'

interface Schedule {
  /**
   * Submits the given runs, and further runs that earlier results require. Yields earlier results; returns the runs
   * without a result.
   */
  submit(runs: readonly RunKey[]): AsyncGenerator<SuiteTrial, readonly RunKey[], void>
  /** Adds the result of a run, and submits the runs that this result requires. */
  add(run: RunKey, trial: Redacted<Trial>): AsyncGenerator<SuiteTrial, readonly RunKey[], void>
}

export function createSchedule(arms: Arms, ledger: Ledger): Schedule {
  // Earlier results that have been yielded, and runs of this suite, whose results come from the queue.
  const submitted = new Set<string>()
  async function* submit(runs: readonly RunKey[]): AsyncGenerator<SuiteTrial, readonly RunKey[], void> {
    const open = new Map<string, RunKey>()
    for (let pending = runs; ; ) {
      for (const run of await ledger.submit(pending)) open.set(keyText(run), run)
      for (const key of open.keys()) submitted.add(key)
      const missing = new Set(pending.map(keyText).filter((key) => !submitted.has(key)))
      if (missing.size === 0) return [...open.values()]
      const files = new Set<string>()
      for await (const { run, trial } of ledger.results()) {
        if (!missing.has(keyText(run))) continue
        submitted.add(keyText(run))
        arms.add(run, trial)
        files.add(run.file)
        yield { file: run.file, arm: run.arm, trial, resumed: true }
      }
      pending = [...files].flatMap(arms.wanted)
    }
  }
  return {
    submit,
    add(run, trial) {
      arms.add(run, trial)
      return submit(arms.wanted(run.file))
    },
  }
}
