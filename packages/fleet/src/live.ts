/**
 * Runs under way, for whoever watches them. The watcher marks the run, its worker looks for such marks and enters what
 * the trace has so far; nothing is entered when nobody watches. The entries are deleted with the result of the run, or
 * by any worker when nobody has the run and nobody watches it.
 */
import { randomUUID } from 'node:crypto'
import {
  keyText,
  type MemoryTrace,
  type Redacted,
  type RunKey,
  type TraceEntry,
  type Trial,
  writtenEntries,
} from '@joust/arena'
import { ATTACK_NAME } from './campaigns.ts'
import type { Database } from './database.ts'
import { isPassing } from './errors.ts'
import { RUN_KEY, runKeyValues, traceText } from './ledger.ts'
import { fleetLimits } from './limits.ts'

interface LiveRun {
  readonly run: RunKey
  readonly trace: MemoryTrace
  readonly attempt: string
  /** How many parts of the trace are in the database, and where the next one begins. */
  parts: number
  end: number
}

/** Enters the runs of a worker that somebody watches. Failures are ignored: the books get the trace in the end. */
export function showLiveRuns({ pool }: Database, worker: string) {
  const runs = new Map<string, LiveRun>()
  let looking: Promise<void> | undefined
  const look = async () => {
    const { rows } = await pool.query<RunKey>(
      `with left_behind as (
         delete from joust.live using joust.run r where (r.campaign, r.target, r.file, r.trial, r.fingerprint)
           = (live.campaign, live.target, live.file, live.trial, live.fingerprint)
           and r.watched < clock_timestamp() and r.lease < clock_timestamp()
       )
       select campaign, target, file, trial, fingerprint from joust.run
       where worker = $1 and outcome is null and watched > clock_timestamp()`,
      [worker],
    )
    for (const row of rows) {
      const live = runs.get(keyText(row))
      if (live !== undefined) await enter(live)
    }
  }
  const enter = async (live: LiveRun) => {
    const text = live.trace.text()
    if (text.length === live.end || text.length > fleetLimits.liveCharacters) return
    // Each part begins with the first line of the trace, so that it can be read alone.
    const first = text.slice(0, text.indexOf('\n') + 1)
    const lines = first + text.slice(Math.max(first.length, live.end))
    await pool.query(
      `with earlier as (delete from joust.live where ${RUN_KEY} and attempt <> $6)
       insert into joust.live (campaign, target, file, trial, fingerprint, attempt, part, lines)
       values ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [...runKeyValues(live.run), live.attempt, live.parts + 1, lines],
    )
    live.parts += 1
    live.end = text.length
  }
  const timer = setInterval(() => {
    looking ??= look()
      .catch(() => {})
      .finally(() => {
        looking = undefined
      })
  }, fleetLimits.liveMs)
  return {
    /** Takes the trace of a run, with its secrets already hidden. A run that is repeated starts over. */
    begin(run: RunKey, trace: MemoryTrace): void {
      runs.set(keyText(run), { run, trace, attempt: randomUUID(), parts: 0, end: 0 })
    },
    /** Enters no more of it; resolves when nothing is on the way any more. */
    async end(run: RunKey): Promise<void> {
      runs.delete(keyText(run))
      await looking
    },
    close: () => clearInterval(timer),
  }
}

/** Which run is watched, by the name of its attack in results, and how much of it the watcher has. */
export interface Watch extends Omit<RunKey, 'fingerprint'> {
  readonly attempt?: string
  readonly part?: number
}

/** A run as it is now. */
export interface WatchedRun {
  readonly attempt: string
  readonly part: number
  /** What is new to the watcher; everything, if it is another attempt. */
  readonly entries: readonly Redacted<TraceEntry>[]
  /** Whether a worker is working on it. */
  readonly isRunning: boolean
  /** Its result, once it is over. */
  readonly trial?: Redacted<Trial>
}

interface WatchedRow extends RunKey {
  readonly running: boolean | null
  readonly result: Redacted<Trial> | null
  readonly trace: Buffer | null
}

/** A run as it is now; for a while after this, its worker shows what comes. Undefined when there is no such run. */
export async function watchRun(database: Database, watch: Watch): Promise<WatchedRun | undefined> {
  const { campaign, target, file, trial, attempt = '', part = 0 } = watch
  const place = `campaign = $1 and target = $2 and $3 = ${ATTACK_NAME} and trial = $4`
  const values = [campaign, target, file, trial]
  // A database that cannot be written to still has what was entered before.
  await database.pool
    .query(
      `update joust.run r set watched = clock_timestamp() + $5::double precision * interval '1 millisecond'
       where ${place} and outcome is null`,
      [...values, fleetLimits.watchMs],
    )
    .catch((thrown: unknown) => {
      if (!isPassing(thrown)) throw thrown
    })
  const { rows } = await database.query<WatchedRow>(
    `select campaign, target, file, trial, fingerprint, lease > clock_timestamp() as running, result, trace
     from joust.run r where ${place} order by finished desc nulls first limit 1`,
    values,
  )
  const [run] = rows
  if (run === undefined) return undefined
  if (run.result !== null) {
    const lines = run.trace === null ? [] : [await traceText(run.trace)]
    return { attempt: 'recorded', part: 0, entries: await writtenEntries(lines), isRunning: false, trial: run.result }
  }
  const { rows: parts } = await database.query<{ attempt: string; part: number; lines: string }>(
    `select attempt, part, lines from joust.live where ${RUN_KEY} and (attempt <> $6 or part > $7) order by part`,
    [...runKeyValues(run), attempt, part],
  )
  const last = parts.at(-1) ?? { attempt, part }
  const entries = await writtenEntries(parts.map(({ lines }) => lines))
  return { attempt: last.attempt, part: last.part, entries, isRunning: run.running === true }
}
