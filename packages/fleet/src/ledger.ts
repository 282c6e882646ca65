/** The books of a campaign in PostgreSQL: a row for each run, with the first result that arrived and its trace. */
import { randomUUID } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import {
  keyText,
  type Ledger,
  type LedgerEntry,
  type LedgerProgress,
  type MemoryTrace,
  memoryTrace,
  noOutcomes,
  type Outcome,
  type Redacted,
  type RunKey,
  type Trial,
} from '@joust/arena'
import { type Database, jsonbText } from './database.ts'
import { fleetLimits } from './limits.ts'

const compress = promisify(gzip)
const expand = promisify(gunzip)

/** Who enters results. */
export interface LedgerOptions {
  /** Its name in the books. */
  readonly worker?: string
  /** Called with the trace of each run when the run begins. */
  readonly onTrace?: ((run: RunKey, trace: MemoryTrace) => void) | undefined
}

/** The books of one campaign. */
export function createPostgresLedger(database: Database, campaign: string, options: LedgerOptions = {}): Ledger {
  const traces = new Map<string, MemoryTrace>()
  const { worker = '', onTrace } = options
  return {
    submit: (runs) => submitRuns(database, runs),
    openTrace(run) {
      const writer = memoryTrace(fleetLimits.traceCharacters)
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
export const RUN_KEY = 'campaign = $1 and target = $2 and file = $3 and trial = $4 and fingerprint = $5'

export function runKeyValues({ campaign, target, file, trial, fingerprint }: RunKey): readonly unknown[] {
  return [campaign, target, file, trial, fingerprint]
}

async function submitRuns(database: Database, runs: readonly RunKey[]): Promise<readonly RunKey[]> {
  const open: RunKey[] = []
  for (let at = 0; at < runs.length; at += fleetLimits.batch) {
    const rows = runs.slice(at, at + fleetLimits.batch)
    const given = JSON.stringify(rows)
    const columns = 'campaign text, target text, file text, trial integer, fingerprint text'
    await database.query(
      `insert into joust.run (campaign, target, file, trial, fingerprint)
         select * from jsonb_to_recordset($1::jsonb) as given(${columns}) on conflict do nothing`,
      [given],
    )
    const { rows: found } = await database.query<RunKey>(
      `select r.campaign, r.target, r.file, r.trial, r.fingerprint from joust.run r
         join jsonb_to_recordset($1::jsonb) as given(${columns}) using (campaign, target, file, trial, fingerprint)
         where r.outcome is null`,
      [given],
    )
    const still = new Set(found.map(keyText))
    open.push(...rows.filter((run) => still.has(keyText(run))))
  }
  return open
}

/**
 * The first result counts. The mark of the attempt distinguishes a repeated entry, whose answer was lost on the way,
 * from a second result.
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
         update joust.run set outcome = $6, result = $7, trace = $8, attempt = $9, worker = $10, retries = $11,
           finished = clock_timestamp()
         where ${RUN_KEY} and outcome is null returning 1
       ), shown as (
         delete from joust.live where ${RUN_KEY}
       ), spent as (
         update joust.campaign set tokens = tokens + $12, calls = calls + $13
         where name = $1 and exists (select 1 from done)
       )
       select 1 from done`,
      [...runKeyValues(run), ...values, ...spent],
    )
    if (rowCount === 1) return 'recorded'
    // It does not count, but what models used for it was spent.
    const { rows } = await pool.query<{ attempt: string }>(
      `with known as (
         update joust.run set late = late + (attempt <> $6)::integer where ${RUN_KEY} returning attempt
       ), spent as (
         update joust.campaign set tokens = tokens + $7, calls = calls + $8
         where name = $1 and exists (select 1 from known where attempt <> $6)
       )
       select attempt from known`,
      [...runKeyValues(run), attempt, ...spent],
    )
    return rows[0]?.attempt === attempt ? 'recorded' : 'late'
  })
}

async function progressOf(database: Database, campaign: string): Promise<LedgerProgress> {
  const { rows } = await database.query<{ outcome: Outcome | null; runs: number; late: number }>(
    `select outcome, count(*)::integer as runs, sum(late)::integer as late from joust.run
       where campaign = $1 group by outcome`,
    [campaign],
  )
  const counts = noOutcomes()
  for (const { outcome, runs } of rows) {
    // A newer version may have entered an outcome that this one does not know.
    if (outcome !== null && Object.hasOwn(counts, outcome)) counts[outcome] += runs
  }
  return {
    runs: rows.reduce((sum, { runs }) => sum + runs, 0),
    open: rows.find(({ outcome }) => outcome === null)?.runs ?? 0,
    outcomes: counts,
    late: rows.reduce((sum, { late }) => sum + late, 0),
  }
}

/** A trace as it was written, from a row of the books; rejects when the row does not hold one, or one that is too long. */
export async function traceText(trace: Uint8Array): Promise<string> {
  return (await expand(trace, { maxOutputLength: fleetLimits.traceBytes })).toString('utf8')
}

/** A run that is done, as it is in the books: any program may have written there. */
export interface RecordedRun extends LedgerEntry {
  /** The one in the row, which is counted; the result has its own. */
  readonly outcome: string
}

/** The contradiction between the outcome in the row of a run and that of its result, as a sentence. */
export function outcomeFault(inRow: string, inResult: string | null): string {
  return `its outcome in the database is ${inRow}, but that of its result is ${inResult ?? 'missing'}`
}

/** Read in pieces: ten thousand results are fifty megabytes. */
export async function* resultsOf(database: Database, campaign: string): AsyncGenerator<RecordedRun, void, void> {
  let after: readonly unknown[] = ['', '', 0, '']
  for (;;) {
    const { rows } = await database.query<Omit<RunKey, 'campaign'> & { outcome: string; result: Redacted<Trial> }>(
      `select target, file, trial, fingerprint, outcome, result from joust.run
         where campaign = $1 and outcome is not null and (target, file, trial, fingerprint) > ($2, $3, $4, $5)
         order by target, file, trial, fingerprint limit ${fleetLimits.batch}`,
      [campaign, ...after],
    )
    for (const { outcome, result, ...run } of rows) yield { run: { campaign, ...run }, outcome, trial: result }
    const last = rows.at(-1)
    if (last === undefined || rows.length < fleetLimits.batch) return
    after = [last.target, last.file, last.trial, last.fingerprint]
  }
}
