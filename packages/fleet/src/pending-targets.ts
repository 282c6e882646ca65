/** What there is to do: the targets of open campaigns that have runs without a result. */
import { createHash } from 'node:crypto'
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
  /** Whether its preflight has been made. */
  readonly hasPreflight: boolean
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

interface PendingRow {
  readonly campaign: string | null
  readonly target: string | null
  readonly created: string
  readonly ready: boolean
  readonly now: string
}

/** What is pending, and the milliseconds by which the clock of this machine is ahead of that of the database. */
export async function readPending({ pool }: Database) {
  const asked = Date.now()
  const { rows } = await pool.query<PendingRow>(
    `select c.name as campaign, t.name as target, c.created::text as created, t.preflight is not null as ready,
       (extract(epoch from clock_timestamp()) * 1000)::text as now
     from (select 1) as one left join (
       joust.campaign c join joust.target t on t.campaign = c.name and c.state = 'open' and exists (
         select 1 from joust.run r where r.campaign = c.name and r.target = t.name and r.outcome is null)
     ) on true order by c.created, t.name`,
  )
  const targets = rows.flatMap(({ campaign, target, created, ready }): PendingTarget[] =>
    campaign === null || target === null
      ? []
      : [{ campaign, target, id: JSON.stringify([campaign, target, created]), hasPreflight: ready }],
  )
  // The answer was made at some time between the question and now.
  const ahead = (asked + Date.now()) / 2 - Number(rows[0]?.now ?? Date.now())
  return { targets, ahead }
}

/** The name of the queue of a target; users' names may contain what queue names must not. */
export function queueName({ campaign, target }: TargetKey): string {
  return `joust-${hash(JSON.stringify([campaign, target]))}`
}

/** A short name for a text. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
