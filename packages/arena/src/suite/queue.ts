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

/** Makes a run; `tries` is how often it has been handed out, including this time: a worker may have been lost with it. */
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

/** Yields results in the order in which work ends. Leaving the loop early waits for what is under way. */
async function* runPool<Job, Done>(
  jobs: Iterator<Job>,
  room: number,
  signal: AbortSignal,
  work: (job: Job) => Promise<Done>,
): AsyncGenerator<Done, void, void> {
  const running = new Map<number, Promise<{ readonly number: number; readonly done: Done }>>()
  let next = 0
  try {
    for (;;) {
      while (running.size < room && !signal.aborted) {
        const job = jobs.next()
        if (job.done === true) break
        const number = next++
        running.set(
          number,
          work(job.value).then((done) => ({ number, done })),
        )
      }
      if (running.size === 0) return
      const { number, done } = await Promise.race(running.values())
      running.delete(number)
      yield done
    }
  } finally {
    await Promise.allSettled(running.values())
  }
}
