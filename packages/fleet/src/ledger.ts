/** The ledger of a campaign in PostgreSQL: a row for each run, with its first result and its trace. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Outcome, Redacted, Trial } from '@joust/results'
import { type MemoryTrace, memoryTrace } from '@joust/results/files'
import { keyText, type Ledger, type LedgerEntry, type LedgerProgress, noOutcomes, type RunKey } from '@joust/trials'
import { type Database, jsonbText } from './database.ts'
import { fleetLimits } from './limits.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Options of a ledger. */
export interface LedgerOptions {
  /** The name of the worker that records results. */
  readonly worker?: string
  /** Called with the trace of each run when the run starts. */
  readonly onTrace?: ((run: RunKey, trace: MemoryTrace) => void) | undefined
}

/** Creates the ledger of one campaign. */
export function createPostgresLedger(database: Database, campaign: string, options: LedgerOptions = {}): Ledger {
  const traces = new Map<string, MemoryTrace>()
  const { worker = '', onTrace } = options
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
      return finishRun(database, run, trial, { worker, trace: text === undefined ? null : await compress(text) })
    },
    progress: () => progressOf(database, campaign),
    results: () => resultsOf(database, campaign),
  }
}

/** The condition for a run, in a statement whose first values are `runKeyValues`. */
export const RUN_KEY = 'campaign = $1 and target = $2 and file = $3 and arm = $4 and trial = $5 and fingerprint = $6'

export function runKeyValues({ campaign, target, file, arm, trial, fingerprint }: RunKey): readonly unknown[] {
  return [campaign, target, file, arm, trial, fingerprint]
}

async function submitRuns(database: Database, runs: readonly RunKey[]): Promise<readonly RunKey[]> {
  const open: RunKey[] = []
  for (let at = 0; at < runs.length; at += fleetLimits.batch) {
    const rows = runs.slice(at, at + fleetLimits.batch)
    const json = JSON.stringify(rows)
    const columns = 'campaign text, target text, file text, arm text, trial integer, fingerprint text'
    await database.query(
      `insert into joust.run (campaign, target, file, arm, trial, fingerprint)
         select * from jsonb_to_recordset($1::jsonb) as planned(${columns}) on conflict do nothing`,
      [json],
    )
    const { rows: unfinished } = await database.query<RunKey>(
      `select r.campaign, r.target, r.file, r.arm, r.trial, r.fingerprint from joust.run r
         join jsonb_to_recordset($1::jsonb) as planned(${columns}) using (campaign, target, file, arm, trial, fingerprint)
         where r.outcome is null`,
      [json],
    )
    const openKeys = new Set(unfinished.map(keyText))
    open.push(...rows.filter((run) => openKeys.has(keyText(run))))
  }
  return open
}

/**
 * Records a result; only the first one counts. The attempt id distinguishes a retry of this statement, after its
 * response was lost, from a second result.
 */
async function finishRun(
  database: Database,
  run: RunKey,
  trial: Redacted<Trial>,
  { worker, trace }: { readonly worker: string; readonly trace: Uint8Array | null },
): Promise<'recorded' | 'late'> {
  const attempt = randomUUID()
  const { calls = 0, input_tokens = 0, output_tokens = 0 } = trial.usage ?? {}
  const values = [trial.outcome, jsonbText(trial), trace, attempt, worker, trial.retries ?? 0]
  const spent = [input_tokens + output_tokens, calls]
  return database.retry(async (pool) => {
    const { rowCount } = await pool.query(
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
    const { rows } = await pool.query<{ attempt: string }>(
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
  })
}

/** SQL for the outcome of a run: inconclusive if its result contradicts it, null without a result. */
export const SAFE_OUTCOME = `case when outcome is null or outcome = result_outcome then outcome else 'inconclusive' end`

async function progressOf(database: Database, campaign: string): Promise<LedgerProgress> {
  const { rows } = await database.query<{ outcome: Outcome | null; runs: number; late: number }>(
    `select ${SAFE_OUTCOME} as outcome, count(*)::integer as runs, sum(late)::integer as late from joust.run
       where campaign = $1 group by 1`,
    [campaign],
  )
  const counts = noOutcomes()
  for (const { outcome, runs } of rows) {
    // A newer version may have recorded an outcome that is unknown here.
    if (outcome !== null && Object.hasOwn(counts, outcome)) counts[outcome] += runs
  }
  return {
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    open: rows.find(({ outcome }) => outcome === null)?.runs ?? 0,
    outcomes: counts,
    late: rows.reduce((sum, { late }) => sum + late, 0),
  }
}

/** Decompresses a trace; rejects invalid data and traces over the limit. */
export async function traceText(trace: Uint8Array): Promise<string> {
  return (await expand(trace, { maxOutputLength: fleetLimits.traceBytes })).toString('utf8')
}

/** A recorded run. Not validated: any program may have written the row. */
export interface RecordedRun extends LedgerEntry {
  /** The outcome in the row; the result has its own. */
  readonly outcome: string
}

/** Describes a contradiction between the outcome in the row of a run and that of its result. */
export function outcomeFault(inRow: string, inResult: string | null): string {
  return `the outcome in the database is ${inRow}, but the result has ${inResult ?? 'none'}`
}

/** Reads the results in batches: ten thousand are fifty megabytes. */
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
