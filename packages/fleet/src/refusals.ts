/** Targets that workers have left to others, and why: when nobody is left to take them, whoever waits must know. */
import type { LeftTarget } from './campaign.ts'
import type { Database } from './database.ts'
import type { TargetKey } from './pending-targets.ts'

/** Notes that a worker leaves a target to others. */
export async function noteRefusal(
  database: Database,
  { campaign, target }: TargetKey,
  worker: string,
  reason: string,
): Promise<void> {
  await database.query(
    `insert into joust.refusal (campaign, target, worker, reason)
       select campaign, name, $3, $4 from joust.target where campaign = $1 and name = $2
       on conflict (campaign, target, worker) do update set reason = excluded.reason, told = clock_timestamp()`,
    // PostgreSQL texts cannot hold NUL.
    [campaign, target, worker, reason.replaceAll('\0', '\ufffd')],
  )
}

/** Notes that a worker can attack it after all. */
export async function dropRefusal(database: Database, { campaign, target }: TargetKey, worker: string): Promise<void> {
  await database.query('delete from joust.refusal where campaign = $1 and target = $2 and worker = $3', [
    campaign,
    target,
    worker,
  ])
}

/** Who has left targets that still have runs to do, by target; workers with the same reason are grouped. */
export async function readRefusals(
  database: Database,
  campaign: string,
): Promise<ReadonlyMap<string, readonly LeftTarget[]>> {
  const { rows } = await database.query<{ target: string; reason: string; workers: string[]; told: Date }>(
    `select target, reason, array_agg(worker order by worker) as workers, max(told) as told
       from joust.refusal f where campaign = $1 and exists (
         select 1 from joust.run r where r.campaign = f.campaign and r.target = f.target and r.outcome is null)
       group by target, reason order by target, max(told) desc`,
    [campaign],
  )
  const left = new Map<string, LeftTarget[]>()
  for (const { target, reason, workers, told } of rows)
    left.set(target, [...(left.get(target) ?? []), { reason, workers, told: told.toISOString() }])
  return left
}
