/** Campaign ledgers in PostgreSQL: a row for each run, with its first result and its trace. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Outcome, Redacted, Trial } from '@joust/results'
import { type MemoryTrace, memoryTrace } from '@joust/results/files'
import {
  type Arm,
  type ArmResults,
  keyText,
  type Ledger,
  type LedgerEntry,
  type LedgerProgress,
  noOutcomes,
  type RunKey,
} from '@joust/trials'
import type { Pool, PoolClient } from 'pg'
import { type Database, inTransaction, jsonbText } from './database.ts'
import { fleetLimits } from './limits.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

export interface LedgerOptions {
  readonly worker?: string
  /** Called with the trace of each run at its start. */
  readonly onTrace?: ((run: RunKey, trace: MemoryTrace) => void) | undefined
  /** The growth of the plan. Absent if results cannot require more runs. */
  readonly growth?: Growth | undefined
}

/** The growth of a plan: runs that are added because of results. */
export interface Growth {
  /** Returns all runs that an attack needs given these results, including existing runs. */
  readonly wanted: (run: RunKey, results: ArmResults) => readonly RunKey[]
  readonly onAdded: (runs: readonly RunKey[]) => Promise<void>
}

export function createPostgresLedger(database: Database, campaign: string, options: LedgerOptions = {}): Ledger {
  const traces = new Map<string, MemoryTrace>()
  const { worker = '', onTrace, growth } = options
  return {
    submit: (runs) => submitRuns(database, runs),
    openTrace(run, header) {
      const writer = memoryTrace(fleetLimits.traceCharacters, header)
      traces.set(keyText(run), writer)
      onTrace?.(run, writer)
      return { name: '', writer }
    },
    async finish(run, trial) {
      const text = traces.get(keyText(run))?.text()
      traces.delete(keyText(run))
      const trace = text === undefined ? null : await compress(text)
      const { entered, added } = await finishRun(database, run, trial, { worker, trace, growth })
      if (added.length > 0) await growth?.onAdded(added)
      return entered
    },
    progress: () => progressOf(database, campaign),
    results: () => resultsOf(database, campaign),
  }
}

/** SQL condition for a run. The first values of the statement must be its `runKeyValues`. */
export const RUN_KEY = 'campaign = $1 and target = $2 and file = $3 and arm = $4 and trial = $5 and fingerprint = $6'

export function runKeyValues({ campaign, target, file, arm, trial, fingerprint }: RunKey): readonly unknown[] {
  return [campaign, target, file, arm, trial, fingerprint]
}

const COLUMNS = 'campaign text, target text, file text, arm text, trial integer, fingerprint text'
const INSERT_RUNS = `insert into joust.run (campaign, target, file, arm, trial, fingerprint)
  select * from jsonb_to_recordset($1::jsonb) as planned(${COLUMNS}) on conflict do nothing`

async function submitRuns(database: Database, runs: readonly RunKey[]): Promise<readonly RunKey[]> {
  const open: RunKey[] = []
  for (let at = 0; at < runs.length; at += fleetLimits.batch) {
    const rows = runs.slice(at, at + fleetLimits.batch)
    const json = JSON.stringify(rows)
    await database.query(INSERT_RUNS, [json])
    const { rows: unfinished } = await database.query<RunKey>(
      `select r.campaign, r.target, r.file, r.arm, r.trial, r.fingerprint from joust.run r
         join jsonb_to_recordset($1::jsonb) as planned(${COLUMNS}) using (campaign, target, file, arm, trial, fingerprint)
         where r.outcome is null`,
      [json],
    )
    const openKeys = new Set(unfinished.map(keyText))
    open.push(...rows.filter((run) => openKeys.has(keyText(run))))
  }
  return open
}

interface Finish extends Pick<LedgerOptions, 'growth'> {
  readonly worker: string
  readonly trace: Uint8Array | null
}

/**
 * Records a result and adds the runs that it requires, in one transaction, so that after a crash, either both exist or
 * neither does. Results for one attack are serialized, so that the last transaction sees all others.
 */
async function finishRun(database: Database, run: RunKey, trial: Redacted<Trial>, finish: Finish) {
  const { growth } = finish
  const attempt = randomUUID()
  if (growth === undefined) {
    const entered = await database.retry((pool) => enterResult(pool, run, trial, { ...finish, attempt }))
    return { entered, added: [] }
  }
  return database.retry((pool) =>
    inTransaction(pool, async (client) => {
      const { campaign, target, file, fingerprint } = run
      await client.query(
        'select 1 from joust.planned where campaign = $1 and target = $2 and file = $3 and fingerprint = $4 for update',
        [campaign, target, file, fingerprint],
      )
      const entered = await enterResult(client, run, trial, { ...finish, attempt })
      const runs = growth.wanted(run, await armResults(client, run))
      const { rows: added } = await client.query<RunKey>(
        `${INSERT_RUNS} returning campaign, target, file, arm, trial, fingerprint`,
        [JSON.stringify(runs)],
      )
      return { entered, added }
    }),
  )
}

async function armResults(client: Queryable, { campaign, target, file, fingerprint }: RunKey): Promise<ArmResults> {
  const { rows } = await client.query<Pick<Trial, 'outcome' | 'controls'> & Pick<RunKey, 'arm'>>(
    `select arm, outcome, result -> 'controls' as controls from joust.run
       where campaign = $1 and target = $2 and file = $3 and fingerprint = $4 and outcome is not null`,
    [campaign, target, file, fingerprint],
  )
  const of = (arm: Arm) => rows.filter((row) => row.arm === arm)
  return { attack: of('attack'), placebo: of('placebo'), sensitivity: of('sensitivity') }
}

type Queryable = Pick<Pool | PoolClient, 'query'>

/** Stores a result. The attempt id distinguishes a retry, after a lost response, from a second result. */
async function enterResult(
  client: Queryable,
  run: RunKey,
  trial: Redacted<Trial>,
  { worker, trace, attempt }: Finish & { readonly attempt: string },
): Promise<'recorded' | 'late'> {
  const { calls = 0, input_tokens = 0, output_tokens = 0 } = trial.usage ?? {}
  const values = [trial.outcome, jsonbText(trial), trace, attempt, worker, trial.retries ?? 0]
  const spent = [input_tokens + output_tokens, calls]
  const { rowCount } = await client.query(
    `with done as (
       update joust.run set outcome = $7, result = $8, trace = $9, attempt = $10, worker = $11, retries = $12,
         finished = clock_timestamp()
       where ${RUN_KEY} and outcome is null returning 1
     ), uploaded as (
       delete from joust.live where ${RUN_KEY}
     ), spent as (
       update joust.campaign set tokens = tokens + $13, calls = calls + $14
       where name = $1 and exists (select 1 from done)
     )
     select 1 from done`,
    [...runKeyValues(run), ...values, ...spent],
  )
  if (rowCount === 1) return 'recorded'
  // A late result does not count, but its tokens were spent.
  const { rows } = await client.query<{ attempt: string }>(
    `with existing as (
       update joust.run set late = late + (attempt <> $7)::integer where ${RUN_KEY} returning attempt
     ), spent as (
       update joust.campaign set tokens = tokens + $8, calls = calls + $9
       where name = $1 and exists (select 1 from existing where attempt <> $7)
     )
     select attempt from existing`,
    [...runKeyValues(run), attempt, ...spent],
  )
  return rows[0]?.attempt === attempt ? 'recorded' : 'late'
}

/** SQL for the outcome of a run: inconclusive if it contradicts the stored result, null if there is no result. */
export const SAFE_OUTCOME = `case when outcome is null or outcome = result_outcome then outcome else 'inconclusive' end`

async function progressOf(database: Database, campaign: string): Promise<LedgerProgress> {
  const { rows } = await database.query<{ outcome: Outcome | null; arm: Arm; runs: number; late: number }>(
    `select ${SAFE_OUTCOME} as outcome, arm, count(*)::integer as runs, sum(late)::integer as late from joust.run
       where campaign = $1 group by 1, 2`,
    [campaign],
  )
  const counts = noOutcomes()
  for (const { outcome, arm, runs } of rows) {
    // A newer version may have recorded an unknown outcome. A placebo run is not an attack.
    if (arm === 'attack' && outcome !== null && Object.hasOwn(counts, outcome)) counts[outcome] += runs
  }
  return {
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    open: rows.reduce((sum, { outcome, runs }) => sum + (outcome === null ? runs : 0), 0),
    outcomes: counts,
    late: rows.reduce((sum, { late }) => sum + late, 0),
  }
}

/** Decompresses a trace. Rejects if the trace is invalid or too long. */
export async function traceText(trace: Uint8Array): Promise<string> {
  return (await expand(trace, { maxOutputLength: fleetLimits.traceBytes })).toString('utf8')
}

/** A recorded run. Not validated, because any program may have written the row. */
export interface RecordedRun extends LedgerEntry {
  /** The outcome in the row, which may contradict the stored result. */
  readonly outcome: string
}

export function outcomeFault(inRow: string, inResult: string | null): string {
  return `the outcome in the database is ${inRow}, but the result has ${inResult ?? 'none'}`
}

/** Reads the results in batches, because ten thousand results take fifty megabytes. */
export async function* resultsOf(database: Database, campaign: string): AsyncGenerator<RecordedRun, void, void> {
  let after: readonly unknown[] = ['', '', '', 0, '']
  for (;;) {
    const { rows } = await database.query<Omit<RunKey, 'campaign'> & { outcome: string; result: Redacted<Trial> }>(
      `select target, file, arm, trial, fingerprint, outcome, result from joust.run
         where campaign = $1 and outcome is not null and (target, file, arm, trial, fingerprint) > ($2, $3, $4, $5, $6)
         order by target, file, arm, trial, fingerprint limit ${fleetLimits.batch}`,
      [campaign, ...after],
    )
    for (const { outcome, result, ...run } of rows) yield { run: { campaign, ...run }, outcome, trial: result }
    const last = rows.at(-1)
    if (last === undefined || rows.length < fleetLimits.batch) return
    after = [last.target, last.file, last.arm, last.trial, last.fingerprint]
  }
}
