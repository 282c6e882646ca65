/** Many attacks, side by side, each isolated from the others. */
import type { Document } from '@joust/oatf'
import { messageOf } from '../model/errors.ts'
import { fingerprint } from '../model/fingerprint.ts'
import { bounds } from '../model/limits.ts'
import type { RunOptions } from '../model/options.ts'
import { type AttackRun, runAttack } from '../run.ts'

/** An attack of a suite. */
export interface SuiteAttack {
  /** Where it comes from; the name of its results. */
  readonly file: string
  readonly document: Document
}

/** One run of one attack. */
export interface SuiteResult {
  readonly file: string
  /** Counts from 1. */
  readonly trial: number
  readonly run: AttackRun
  /** It was not run now but taken from earlier results. */
  readonly resumed?: true
}

/** How a suite is run. */
export interface SuiteOptions {
  /** The options of one run; called for each, since a target belongs to one run. */
  readonly options?: (attack: SuiteAttack, trial: number) => RunOptions | Promise<RunOptions>
  /** How many runs go on at the same time; default 4. */
  readonly concurrency?: number
  /** How often each attack is run; default 1. */
  readonly trials?: number
  /** Stops the suite: what runs is judged on what was seen, the rest is not begun. */
  readonly signal?: AbortSignal
  /** Where results are kept; what is there is not run again, what is new is added before it is yielded. */
  readonly results?: ResultStore
}

/** Results that outlive a suite; `openResults` keeps them in a file. */
export interface ResultStore {
  get(key: string): AttackRun | undefined
  add(key: string, run: AttackRun): Promise<void>
}

/**
 * Runs attacks and yields each result as it is there, in the order in which runs end. Leaving the loop early stops what is
 * still running.
 */
export async function* runSuite(
  attacks: Iterable<SuiteAttack>,
  suite: SuiteOptions = {},
): AsyncGenerator<SuiteResult, void, void> {
  const stop = new AbortController()
  const halt = () => stop.abort(suite.signal?.reason)
  if (suite.signal?.aborted === true) halt()
  suite.signal?.addEventListener('abort', halt)
  const jobs = plan(attacks, suite.trials ?? 1)
  const running = new Map<number, Promise<{ readonly job: number; readonly result: SuiteResult }>>()
  const room = Math.max(1, Math.floor(suite.concurrency ?? bounds.concurrency))
  let next = 0
  try {
    for (;;) {
      while (running.size < room && !stop.signal.aborted) {
        const { value: job, done } = jobs.next()
        if (done === true) break
        const number = next++
        const result = runJob(job, suite, stop.signal)
        running.set(
          number,
          result.then((value) => ({ job: number, result: value })),
        )
      }
      if (running.size === 0) return
      const { job, result } = await Promise.race(running.values())
      running.delete(job)
      yield result
    }
  } finally {
    suite.signal?.removeEventListener('abort', halt)
    stop.abort()
    await Promise.allSettled(running.values())
  }
}

interface Job {
  readonly attack: SuiteAttack
  readonly trial: number
}

/** All first trials come before all second ones, so that a suite that is stopped has seen as many attacks as it could. */
function* plan(attacks: Iterable<SuiteAttack>, trials: number): Generator<Job, void, void> {
  const listed = [...attacks]
  for (let trial = 1; trial <= trials; trial++) for (const attack of listed) yield { attack, trial }
}

async function runJob({ attack, trial }: Job, suite: SuiteOptions, signal: AbortSignal): Promise<SuiteResult> {
  const { file, document } = attack
  const key = suite.results === undefined ? '' : resultKey(attack, trial)
  const known = suite.results?.get(key)
  if (known !== undefined) return { file, trial, run: known, resumed: true }
  let options: RunOptions
  try {
    options = (await suite.options?.(attack, trial)) ?? {}
  } catch (thrown) {
    // The caller could not set the run up: the same as a target that does not start.
    const start = () => Promise.reject(new Error(`the run could not be set up: ${messageOf(thrown)}`))
    options = { target: { name: 'none', start } }
  }
  const signals = options.signal === undefined ? [signal] : [signal, options.signal]
  const run = await runAttack(document, { ...options, signal: AbortSignal.any(signals) })
  // A run that was stopped is no result to go on from.
  if (run.ended !== 'interrupted') await suite.results?.add(key, run)
  return { file, trial, run }
}

/** What a result is filed under: the attack as it was written, and the trial. A changed document is another attack. */
function resultKey({ file, document }: SuiteAttack, trial: number): string {
  return JSON.stringify([file, trial, fingerprint(JSON.stringify(document))])
}
