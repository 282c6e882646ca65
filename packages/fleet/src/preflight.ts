/** What one worker finds out about a target, once, before anybody attacks it; and who that worker is. */
import { randomUUID } from 'node:crypto'
import { type Agreements, lostTrial, type ResultControl, type ResultTarget } from '@joust/arena'
import { type Database, jsonbText } from './database.ts'
import type { TargetKey } from './pending-targets.ts'

/** What holds for all runs of a target. */
export interface Preflight {
  /** Absent where the target cannot be asked, or the user has skipped it. */
  readonly control?: ResultControl
  /** The version of MCP that actors speak with it where the document says nothing. */
  readonly mcpVersion?: string
  /** What judges semantic indicators, and how far it agrees with the examples of the documents, by file. */
  readonly judged?: {
    readonly about: NonNullable<ResultTarget['judge']>
    readonly agreements: readonly (readonly [string, NonNullable<ReturnType<Agreements['get']>>])[]
  }
}

/** The right to make the preflight of a target, which others wait for. */
export interface PreflightClaim {
  /** How many workers have tried, this one included. */
  readonly tries: number
  /** Says that the worker is still alive. */
  renew(): Promise<unknown>
  /** Leaves it to others, as if it had not been tried. */
  release(): Promise<unknown>
}

const KEY = 'campaign = $1 and name = $2'
const LEASE = `preflight_lease = clock_timestamp() + $4::double precision * interval '1 millisecond'`

/** Takes the right to make a preflight; undefined when another worker has it, or it has been made. */
export async function claimPreflight(
  { pool }: Database,
  { campaign, target }: TargetKey,
  leaseMs: number,
): Promise<PreflightClaim | undefined> {
  const own = [campaign, target, randomUUID()]
  const { rows } = await pool.query<{ tries: number }>(
    `update joust.target set preflight_token = $3, preflight_tries = preflight_tries + 1, ${LEASE}
     where ${KEY} and preflight is null and (preflight_lease is null or preflight_lease < clock_timestamp())
     returning preflight_tries as tries`,
    [...own, leaseMs],
  )
  const isOwn = `${KEY} and preflight_token = $3 and preflight is null`
  const left = 'preflight_lease = null, preflight_tries = preflight_tries - 1'
  return (
    rows[0] && {
      tries: rows[0].tries,
      renew: () => pool.query(`update joust.target set ${LEASE} where ${isOwn}`, [...own, leaseMs]),
      release: () => pool.query(`update joust.target set ${left} where ${isOwn}`, own),
    }
  )
}

/** Enters what was found. Only the first entry counts; false for any other. */
export async function recordPreflight(
  database: Database,
  { campaign, target }: TargetKey,
  preflight: Preflight,
): Promise<boolean> {
  const { rowCount } = await database.query(
    `update joust.target set preflight = $3, preflight_lease = null where ${KEY} and preflight is null`,
    [campaign, target, jsonbText(preflight)],
  )
  return rowCount === 1
}

/** What was found; undefined before that. */
export async function readPreflight(
  database: Database,
  { campaign, target }: TargetKey,
): Promise<Preflight | undefined> {
  const { rows } = await database.query<{ preflight: Preflight | null }>(
    `select preflight from joust.target where ${KEY}`,
    [campaign, target],
  )
  return rows[0]?.preflight ?? undefined
}

/** Ends all runs of a target that have no result, for a reason. Returns how many there were. */
export async function endRuns(
  database: Database,
  { campaign, target }: TargetKey,
  worker: string,
  reason: string,
): Promise<number> {
  const { rowCount } = await database.query(
    `update joust.run set outcome = 'inconclusive', result = jsonb_set($3::jsonb, '{trial}', to_jsonb(trial)),
         attempt = $4, worker = $5, finished = clock_timestamp()
       where campaign = $1 and target = $2 and outcome is null`,
    [campaign, target, jsonbText(lostTrial(1, reason)), randomUUID(), worker],
  )
  return rowCount ?? 0
}
