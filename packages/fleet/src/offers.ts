/** What there is to do: the targets of open campaigns that have runs without a result. */
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

/** A target of a campaign. */
export interface CampaignPart {
  readonly campaign: string
  readonly target: string
}

/** A target with runs that somebody may take. */
export interface Offer extends CampaignPart {
  /** Tells it from one of the same name in a campaign that was deleted. */
  readonly id: string
  /** Whether somebody has opened it: found out what has to be known before its runs. */
  readonly isOpened: boolean
  /** Its runs are not to be taken yet. */
  readonly isHeld?: true
}

/** What a look at the database tells. */
interface Outlook {
  readonly offers: readonly Offer[]
  /** Milliseconds by which the clock of this machine is ahead of that of the database. */
  readonly ahead: number
}

interface OutlookRow {
  readonly campaign: string | null
  readonly target: string | null
  readonly created: string
  readonly opened: boolean
  readonly now: string
}

/** Whether the budget of the campaign `c` is used up; null where it has none. */
export const USED_UP = `c.tokens >= (c.plan #>> '{budget,tokens}')::bigint
  or c.calls >= (c.plan #>> '{budget,calls}')::bigint
  or clock_timestamp() >= c.created + (c.plan #>> '{budget,milliseconds}')::double precision * interval '1 millisecond'`

/** Closes campaigns whose budget is used up, and gives what is open. All times are those of the database. */
export async function lookAround(database: Database): Promise<Outlook> {
  const { pool } = database
  await pool.query(`update joust.campaign c set state = 'stopped' where state = 'open' and (${USED_UP})`)
  const asked = Date.now()
  const { rows } = await pool.query<OutlookRow>(
    `select c.name as campaign, t.name as target, c.created::text as created, t.opening is not null as opened,
       (extract(epoch from clock_timestamp()) * 1000)::text as now
     from (select 1) as one left join (
       joust.campaign c join joust.target t on t.campaign = c.name and c.state = 'open' and exists (
         select 1 from joust.run r where r.campaign = c.name and r.target = t.name and r.outcome is null)
     ) on true order by c.created, t.name`,
  )
  const offers = rows.flatMap(({ campaign, target, created, opened }) =>
    campaign !== null && target !== null
      ? [{ campaign, target, id: JSON.stringify([campaign, target, created]), isOpened: opened }]
      : [],
  )
  // The answer was made somewhere between the question and now.
  const ahead = (asked + Date.now()) / 2 - Number(rows[0]?.now ?? Date.now())
  return { offers, ahead }
}

/** The name of the queue of a target; names of users may hold what those of queues may not. */
export function queueName({ campaign, target }: CampaignPart): string {
  return `joust-${hash(JSON.stringify([campaign, target]))}`
}

/** A short name for a text. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
