/** Who hands out the runs of a suite: to this process, or to many machines. */
import { keyText, type RunKey } from './ledger.ts'

/** Hands out runs, each to one worker at a time. */
export interface Queue {
  /** Puts runs in; one that is already waiting is not added twice. */
  add(runs: readonly RunKey[]): Promise<void>
  /**
   * Works on what is handed out and yields the outcomes. Ends when the signal fires, once what is under way is done,
   * and with `drain` also when nothing is left.
   */
  take<Done>(perform: Perform<Done>, options: TakeOptions): AsyncGenerator<Done, void, void>
}

/** Makes a run; `tries` counts how often it was handed out, this time included: a worker may have been lost with it. */
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
    /** In the order in which work ends. Leaving the loop early waits for what is under way. */
    async *take<Done>(perform: Perform<Done>, { room, signal }: TakeOptions) {
      const runs = waiting.values()
      const running = new Map<RunKey, Promise<{ readonly run: RunKey; readonly done: Done }>>()
      try {
        for (;;) {
          while (running.size < Math.max(1, Math.floor(room)) && !signal.aborted) {
            const { value: run } = runs.next()
            if (run === undefined) break
            const work = perform(run, 1).then((done) => ({ run, done }))
            running.set(run, work)
          }
          if (running.size === 0) return
          const { run, done } = await Promise.race(running.values())
          running.delete(run)
          yield done
        }
      } finally {
        await Promise.allSettled(running.values())
      }
    },
  }
}
