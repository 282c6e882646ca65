/** What one worker finds out about a target, once, before anybody attacks it; and who that worker is. */
import { randomUUID } from 'node:crypto'
import { type Agreements, lostTrial, type ResultControl, type ResultTarget } from '@joust/arena'
import { type Database, jsonbText } from './database.ts'
import type { CampaignPart } from './offers.ts'

/** What holds for all runs of a target. */
export interface Opening {
  /** Absent where the target takes no tools. */
  readonly control?: ResultControl
  /** The version of MCP that actors speak with it where the document says nothing. */
  readonly mcpVersion?: string
  /** What judges semantic indicators, and how far it agrees with the examples of the documents, by file. */
  readonly judged?: {
    readonly about: NonNullable<ResultTarget['judge']>
    readonly agreements: readonly (readonly [string, NonNullable<ReturnType<Agreements['get']>>])[]
  }
}

/** The right to open a target. */
export interface OpeningClaim {
  readonly token: string
  /** How many workers have tried, this one included. */
  readonly tries: number
}

const KEY = 'campaign = $1 and name = $2'

/** Takes the right to open a target; undefined when another worker has it, or it is open. */
export async function claimOpening(
  { pool }: Database,
  { campaign, target }: CampaignPart,
  leaseMs: number,
): Promise<OpeningClaim | undefined> {
  const token = randomUUID()
  const { rows } = await pool.query<{ tries: number }>(
    `update joust.target set opener = $3, opener_tries = opener_tries + 1,
       opener_lease = clock_timestamp() + $4::double precision * interval '1 millisecond'
     where ${KEY} and opening is null and (opener_lease is null or opener_lease < clock_timestamp())
     returning opener_tries as tries`,
    [campaign, target, token, leaseMs],
  )
  return rows[0] && { token, tries: rows[0].tries }
}

/** Says that the worker still lives. */
export async function renewOpening(
  { pool }: Database,
  { campaign, target }: CampaignPart,
  { token }: OpeningClaim,
  leaseMs: number,
): Promise<void> {
  await pool.query(
    `update joust.target set opener_lease = clock_timestamp() + $4::double precision * interval '1 millisecond'
     where ${KEY} and opener = $3 and opening is null`,
    [campaign, target, token, leaseMs],
  )
}

/** Leaves it to others, as if it had not been tried. */
export async function releaseOpening(
  { pool }: Database,
  { campaign, target }: CampaignPart,
  { token }: OpeningClaim,
): Promise<void> {
  await pool.query(
    `update joust.target set opener_lease = null, opener_tries = opener_tries - 1
     where ${KEY} and opener = $3 and opening is null`,
    [campaign, target, token],
  )
}

/** Enters what was found out. Only the first counts; false for any other. */
export async function bookOpening(
  database: Database,
  { campaign, target }: CampaignPart,
  opening: Opening,
): Promise<boolean> {
  const { rowCount } = await database.steady((pool) =>
    pool.query(`update joust.target set opening = $3, opener_lease = null where ${KEY} and opening is null`, [
      campaign,
      target,
      jsonbText(opening),
    ]),
  )
  return rowCount === 1
}

/** What was found out; undefined before that. */
export async function readOpening(
  database: Database,
  { campaign, target }: CampaignPart,
): Promise<Opening | undefined> {
  const { rows } = await database.steady((pool) =>
    pool.query<{ opening: Opening | null }>(`select opening from joust.target where ${KEY}`, [campaign, target]),
  )
  return rows[0]?.opening ?? undefined
}

/** Ends all runs of a target that have no result, for a reason. How many there were. */
export async function endRuns(
  database: Database,
  { campaign, target }: CampaignPart,
  worker: string,
  reason: string,
): Promise<number> {
  const { rowCount } = await database.steady((pool) =>
    pool.query(
      `update joust.run set outcome = 'inconclusive', result = jsonb_set($3::jsonb, '{trial}', to_jsonb(trial)),
         attempt = $4, worker = $5, finished = clock_timestamp()
       where campaign = $1 and target = $2 and outcome is null`,
      [campaign, target, jsonbText(lostTrial(1, reason)), randomUUID(), worker],
    ),
  )
  return rowCount ?? 0
}

/** Adds what models took beside the runs themselves: a control, a judge. */
export async function bookSpent(
  database: Database,
  campaign: string,
  { tokens, calls }: { readonly tokens: number; readonly calls: number },
): Promise<void> {
  await database.steady((pool) =>
    pool.query('update joust.campaign set tokens = tokens + $2, calls = calls + $3 where name = $1', [
      campaign,
      tokens,
      calls,
    ]),
  )
}
