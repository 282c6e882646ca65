/**
 * Live traces. A watcher marks a run. The worker of the run polls for marks and uploads the trace so far. The uploaded
 * parts are deleted when the result is recorded, or by any worker once both the lease and the mark have expired.
 */
import { randomUUID } from 'node:crypto'
import type { Redacted, TraceEntry, Trial } from '@joust/results'
import { type MemoryTrace, writtenEntries } from '@joust/results/files'
import { keyText, type RunKey } from '@joust/trials'
import { ATTACK_NAME } from './campaigns.ts'
import type { Database } from './database.ts'
import { isTransient } from './errors.ts'
import { RUN_KEY, runKeyValues, traceText } from './ledger.ts'
import { fleetLimits } from './limits.ts'

interface LiveRun {
  readonly run: RunKey
  readonly trace: MemoryTrace
  readonly attempt: string
  parts: number
  /** Offset of the next part in the trace. */
  end: number
}

/** Uploads the watched runs of a worker. Failures are ignored, because the ledger stores the trace when the run ends. */
export function showLiveRuns({ pool }: Database, worker: string) {
  const runs = new Map<string, LiveRun>()
  let polling: Promise<void> | undefined
  const poll = async () => {
    const { rows } = await pool.query<RunKey>(
      `with expired as (
         delete from joust.live using joust.run r where (r.campaign, r.target, r.file, r.arm, r.trial, r.fingerprint)
           = (live.campaign, live.target, live.file, live.arm, live.trial, live.fingerprint)
           and r.watched < clock_timestamp() and r.lease < clock_timestamp()
       )
       select campaign, target, file, arm, trial, fingerprint from joust.run
       where worker = $1 and outcome is null and watched > clock_timestamp()`,
      [worker],
    )
    for (const row of rows) {
      const live = runs.get(keyText(row))
      if (live !== undefined) await upload(live)
    }
  }
  const upload = async (live: LiveRun) => {
    const text = live.trace.text()
    if (text.length === live.end || text.length > fleetLimits.liveCharacters) return
    // Each part starts with the first line of the trace, so that it can be parsed alone.
    const first = text.slice(0, text.indexOf('\n') + 1)
    const lines = first + text.slice(Math.max(first.length, live.end))
    await pool.query(
      `with earlier as (delete from joust.live where ${RUN_KEY} and attempt <> $7)
       insert into joust.live (campaign, target, file, arm, trial, fingerprint, attempt, part, lines)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [...runKeyValues(live.run), live.attempt, live.parts + 1, lines],
    )
    live.parts += 1
    live.end = text.length
  }
  const timer = setInterval(() => {
    polling ??= poll()
      .catch(() => {})
      .finally(() => {
        polling = undefined
      })
  }, fleetLimits.liveMs)
  return {
    /** Adds a run with its redacted trace. A retry of the run starts from the beginning. */
    begin(run: RunKey, trace: MemoryTrace): void {
      runs.set(keyText(run), { run, trace, attempt: randomUUID(), parts: 0, end: 0 })
    },
    /** Stops uploading a run. Resolves when no upload is pending. */
    async end(run: RunKey): Promise<void> {
      runs.delete(keyText(run))
      await polling
    },
    close: () => clearInterval(timer),
  }
}

/** A run to watch, identified by the attack name in results, and the last part that the watcher has. */
export interface Watch extends Omit<RunKey, 'fingerprint'> {
  readonly attempt?: string
  readonly part?: number
}

export interface WatchedRun {
  readonly attempt: string
  readonly part: number
  /** Entries after the watcher's last part, or all entries if the attempt is new. */
  readonly entries: readonly Redacted<TraceEntry>[]
  readonly isRunning: boolean
  /** The result. Absent until the result is recorded. */
  readonly trial?: Redacted<Trial>
}

interface WatchedRow extends RunKey {
  readonly running: boolean | null
  readonly result: Redacted<Trial> | null
  readonly trace: Buffer | null
}

/** Reads the state of a run and marks it as watched. Returns undefined if the run does not exist. */
export async function watchRun(database: Database, watch: Watch): Promise<WatchedRun | undefined> {
  const { campaign, target, file, arm, trial, attempt = '', part = 0 } = watch
  const condition = `campaign = $1 and target = $2 and $3 = ${ATTACK_NAME} and arm = $4 and trial = $5`
  const values = [campaign, target, file, arm, trial]
  // A read-only database still has the parts that were uploaded earlier.
  await database.pool
    .query(
      `update joust.run r set watched = clock_timestamp() + $6::double precision * interval '1 millisecond'
       where ${condition} and outcome is null`,
      [...values, fleetLimits.watchMs],
    )
    .catch((thrown: unknown) => {
      if (!isTransient(thrown)) throw thrown
    })
  const { rows } = await database.query<WatchedRow>(
    `select campaign, target, file, arm, trial, fingerprint, lease > clock_timestamp() as running, result, trace
     from joust.run r where ${condition} order by finished desc nulls first limit 1`,
    values,
  )
  const [run] = rows
  if (run === undefined) return undefined
  if (run.result !== null) {
    const lines = run.trace === null ? [] : [await traceText(run.trace)]
    return { attempt: 'recorded', part: 0, entries: await writtenEntries(lines), isRunning: false, trial: run.result }
  }
  const { rows: parts } = await database.query<{ attempt: string; part: number; lines: string }>(
    `select attempt, part, lines from joust.live where ${RUN_KEY} and (attempt <> $7 or part > $8) order by part`,
    [...runKeyValues(run), attempt, part],
  )
  const last = parts.at(-1) ?? { attempt, part }
  const entries = await writtenEntries(parts.map(({ lines }) => lines))
  return { attempt: last.attempt, part: last.part, entries, isRunning: run.running === true }
}
