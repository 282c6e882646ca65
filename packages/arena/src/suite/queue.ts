/** Who hands out the runs of a suite: to this process, or to many machines. */
import { keyText, type RunKey } from './ledger.ts'
import { runPool } from './pool.ts'

/** Hands out runs, each to one worker at a time. */
export interface Queue {
  /** Puts runs in; one that waits already does not wait twice. */
  add(runs: readonly RunKey[]): Promise<void>
  /**
   * Works on what is handed out and yields what comes of it. Ends when the signal fires, once what is under way is done,
   * and with `drain` also when nothing is left.
   */
  take<Done>(perform: Perform<Done>, options: TakeOptions): AsyncGenerator<Done, void, void>
}

/** Makes a run; `tries` is how often it has been handed out, this time included: a worker may have been lost with it. */
export type Perform<Done> = (run: RunKey, tries: number) => Promise<Done>

/** How runs are taken from a queue. */
export interface TakeOptions {
  /** How many at a time. */
  readonly room: number
  readonly signal: AbortSignal
  /** Ends when nothing is left. */
  readonly drain?: boolean
}

/** A queue in this process: what is taken from it is done here, so it always ends when nothing is left. */
export function createPool(): Queue {
  const waiting: RunKey[] = []
  const known = new Set<string>()
  return {
    async add(runs) {
      for (const run of runs) {
        const key = keyText(run)
        if (!known.has(key)) waiting.push(run)
        known.add(key)
      }
    },
    take: (perform, { room, signal }) =>
      runPool(waiting.values(), Math.max(1, Math.floor(room)), signal, (run) => perform(run, 1)),
  }
}
