/** Campaign status and run outcomes, queried without loading traces. */

import type { Tier } from '@joust/oatf'
import type { Outcome, ResultPreflight } from '@joust/results'
import { defined } from '@joust/source'
import type { Arm, RunKey } from '@joust/trials'
import type { CampaignStatus, TargetStatus } from './campaign.ts'
import { ATTACK_NAME, type CampaignRow, readCampaigns } from './campaigns.ts'
import type { Database } from './database.ts'
import { createPostgresLedger, outcomeFault, SAFE_OUTCOME } from './ledger.ts'

/** Reads the status of a campaign. Returns undefined if the campaign does not exist. */
export async function statusOf(database: Database, name: string): Promise<CampaignStatus | undefined> {
  const [row] = await readCampaigns(database, name)
  if (row === undefined) return undefined
  // The order matters: once a campaign is stopped and no run is in progress, the results read afterwards are final.
  const { length: running } = await runningRuns(database, name)
  const progress = await createPostgresLedger(database, name).progress()
  const { rows } = await database.query<{ retried: number; finished: Date | null }>(
    'select coalesce(sum(retries), 0)::integer as retried, max(finished) as finished from joust.run where campaign = $1',
    [name],
  )
  const { retried = 0, finished = null } = rows[0] ?? {}
  const [{ tokens, calls } = row] = await readCampaigns(database, name)
  const targets = await targetsOf(database, name)
  const stopped = stopReason({ ...row, tokens, calls })
  return {
    ...progress,
    ...row,
    tokens,
    calls,
    created: row.created.toISOString(),
    targets,
    retried,
    running,
    ...defined({ stopped, finished: finished?.toISOString() }),
  }
}

/** Reads the runs in progress, with attack names as in results. */
export async function runningRuns(
  database: Database,
  campaign: string,
): Promise<readonly Omit<RunKey, 'fingerprint'>[]> {
  const { rows } = await database.query<Omit<RunKey, 'fingerprint'>>(
    `select campaign, target, ${ATTACK_NAME} as file, arm, trial from joust.run r
     where campaign = $1 and outcome is null and lease > clock_timestamp()`,
    [campaign],
  )
  return rows
}

async function targetsOf(database: Database, campaign: string): Promise<readonly TargetStatus[]> {
  const { rows } = await database.query<{ name: string; preflight: ResultPreflight | null; inPreflight: boolean }>(
    `select name, preflight -> 'result' as preflight,
         preflight is null and coalesce(preflight_lease > clock_timestamp(), false) as "inPreflight"
       from joust.target where campaign = $1 order by name`,
    [campaign],
  )
  // Refusals of targets that still have runs without a result, grouped by reason.
  const { rows: refusals } = await database.query<{ target: string; reason: string; workers: string[]; told: Date }>(
    `select target, reason, array_agg(worker order by worker) as workers, max(told) as told
       from joust.refusal f where campaign = $1 and exists (
         select 1 from joust.run r where r.campaign = f.campaign and r.target = f.target and r.outcome is null)
       group by target, reason order by target, max(told) desc`,
    [campaign],
  )
  return rows.map(({ name, preflight, inPreflight }) => {
    const left = refusals
      .filter(({ target }) => target === name)
      .map(({ reason, workers, told }) => ({ reason, workers, told: told.toISOString() }))
    return {
      name,
      ...(preflight && { preflight }),
      ...(inPreflight && { inPreflight }),
      ...(left.length > 0 && { left }),
    }
  })
}

function stopReason({ state, plan, tokens, calls }: CampaignRow): string | undefined {
  if (state === 'cancelled') return 'the campaign was cancelled'
  if (state !== 'stopped') return undefined
  const { budget = {} } = plan
  const usedUp = (limit: number, unit: string, used: number) =>
    `the budget of ${limit} ${unit} is used up (${used} used, ${Math.max(0, used - limit)} over the budget)`
  if (budget.tokens !== undefined && tokens >= budget.tokens) return usedUp(budget.tokens, 'tokens', tokens)
  if (budget.calls !== undefined && calls >= budget.calls) return usedUp(budget.calls, 'model calls', calls)
  return `the budget of ${(budget.milliseconds ?? 0) / 1000} s is used up`
}

/** A filter for results. An absent property matches all results. */
export interface ResultFilter {
  readonly outcome?: readonly Outcome[]
  readonly severity?: readonly string[]
  /** Maximum age of a result in milliseconds. */
  readonly sinceMs?: number
}

/** A recorded result without its trace. */
export interface ResultRow {
  readonly target: string
  /** Attack name in results. */
  readonly file: string
  readonly arm: Arm
  readonly trial: number
  readonly outcome: Outcome
  readonly severity: string | null
  readonly tier: Tier | null
  readonly finished: string
  readonly worker: string
  readonly duration_ms: number
  readonly reasons: readonly string[]
  /** Contradiction between the row and the result, which makes the run inconclusive. */
  readonly fault?: string
}

export async function selectResults(
  database: Database,
  campaign: string,
  { outcome, severity, sinceMs }: ResultFilter,
): Promise<readonly ResultRow[]> {
  const { rows } = await database.query<
    ResultRow & { finished: Date; row_outcome: string; result_outcome: string | null }
  >(
    `select target, ${ATTACK_NAME} as file, arm, trial, ${SAFE_OUTCOME} as outcome, severity, coalesce(result #>> '{tier}', result #>> '{verdict,max_tier}') as tier, finished, worker,
         (result ->> 'duration_ms')::float8 as duration_ms, result -> 'reasons' as reasons,
         outcome as row_outcome, result_outcome
       from joust.run r left join joust.attack a using (campaign, file, fingerprint)
       where campaign = $1 and outcome is not null
         and ($2::text[] is null or ${SAFE_OUTCOME} = any($2)) and ($3::text[] is null or severity = any($3))
         and ($4::double precision is null or finished >= clock_timestamp() - $4 * interval '1 millisecond')
       order by finished desc, target, r.file, arm, trial`,
    [campaign, outcome ?? null, severity ?? null, sinceMs ?? null],
  )
  return rows.map(({ row_outcome, result_outcome, ...row }) => {
    const fault = row_outcome === result_outcome ? undefined : outcomeFault(row_outcome, result_outcome)
    return { ...row, finished: row.finished.toISOString(), ...(fault && { reasons: [fault], fault }) }
  })
}
