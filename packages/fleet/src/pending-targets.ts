/** What there is to do: the targets of open campaigns that have runs without a result. */
import { sha256 } from '@joust/io'
import type { Database } from './database.ts'

/** Which target of which campaign. */
export interface TargetKey {
  readonly campaign: string
  readonly target: string
}

/** A target with runs that somebody may take. */
export interface PendingTarget extends TargetKey {
  /** Distinguishes it from one of the same name in a campaign that was deleted. */
  readonly id: string
  /** Whether its control has been made. */
  readonly isControlled: boolean
  /** Set while its runs must not be taken yet. */
  readonly isHeld?: true
}

/** Whether the budget of the campaign `c` is used up; null where it has none. */
export const OVER_BUDGET = `c.tokens >= (c.plan #>> '{budget,tokens}')::bigint
  or c.calls >= (c.plan #>> '{budget,calls}')::bigint
  or clock_timestamp() >= c.created + (c.plan #>> '{budget,milliseconds}')::double precision * interval '1 millisecond'`

/** Closes campaigns whose budget is used up. */
export async function stopOverBudget({ pool }: Database): Promise<void> {
  await pool.query(`update joust.campaign c set state = 'stopped' where state = 'open' and (${OVER_BUDGET})`)
}

/** What is pending, and the milliseconds by which the clock of this machine is ahead of that of the database. */
export async function readPending({ pool }: Database) {
  const asked = Date.now()
  const { rows: clock } = await pool.query<{ now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  )
  // The answer was made at some time between the question and now.
  const ahead = (asked + Date.now()) / 2 - (clock[0]?.now ?? asked)
  const { rows: targets } = await pool.query<PendingTarget>(
    `select c.name as campaign, t.name as target, jsonb_build_array(c.name, t.name, c.created)::text as id,
       t.control is not null as "isControlled"
     from joust.campaign c join joust.target t on t.campaign = c.name
     where c.state = 'open' and exists (
       select 1 from joust.run r where r.campaign = c.name and r.target = t.name and r.outcome is null)
     order by c.created, t.name`,
  )
  return { targets, ahead }
}

/** The name of the queue of a target; users' names may contain what queue names must not. */
export function queueName({ campaign, target }: TargetKey): string {
  return `joust-${sha256(JSON.stringify([campaign, target]), 32)}`
}
