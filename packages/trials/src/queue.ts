/** The queue of a suite: distributes runs to workers, in this process or on other machines. */
import { keyText, type RunKey } from './run-key.ts'

/** A queue of runs. Each run is assigned to one worker at a time. */
export interface Queue {
  /** Adds runs; duplicates are ignored. */
  add(runs: readonly RunKey[]): Promise<void>
  /** Performs runs and yields outcomes until an abort or, with `drain`, until empty. Active runs are finished. */
  take<Done>(perform: Perform<Done>, options: TakeOptions): AsyncGenerator<Done, void, void>
}

/** A function that performs a run. `tries` counts the run's assignments: an earlier worker may have crashed. */
export type Perform<Done> = (run: RunKey, tries: number) => Promise<Done>

/** Options for taking runs from a queue; see {@link createPool}. */
export interface TakeOptions {
  /** The maximum number of concurrent runs. */
  readonly room: number
  readonly signal: AbortSignal
  /** Ends when the queue is empty. @default false */
  readonly drain?: boolean
}

/**
 * Creates a queue in this process. Taking runs from it always ends when it is empty.
 *
 * @example
 * const pool = createPool()
 * await pool.add([...plannedRuns({ campaign: '', targets: ['mine'], trials: 3 }, [{ file: 'a', fingerprint: attack.fingerprint }])])
 * const { signal } = new AbortController()
 * for await (const line of pool.take(async ({ file, trial }) => `${file} ${trial}`, { room: 2, signal })) console.log(line)
 */
export function createPool(): Queue {
  const waiting: RunKey[] = []
  const keys = new Set<string>()
  return {
    async add(runs) {
      for (const run of runs) {
        const key = keyText(run)
        if (!keys.has(key)) waiting.push(run)
        keys.add(key)
      }
    },
    /** Yields in order of completion. Runs can be added until the last is taken. Leaving early finishes active runs. */
    async *take<Done>(perform: Perform<Done>, { room, signal }: TakeOptions) {
      const running = new Map<RunKey, Promise<{ readonly run: RunKey; readonly done: Done }>>()
      try {
        for (;;) {
          while (running.size < Math.max(1, Math.floor(room)) && !signal.aborted) {
            const run = waiting.shift()
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
