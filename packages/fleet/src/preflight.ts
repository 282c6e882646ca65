/**
 * Preflights of campaign targets. One worker requests a harmless tool call or answer from the target, and has its judge
 * classify examples; the other workers wait for the result.
 */
import { randomUUID } from 'node:crypto'
import type { AttackOptions } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { redactPreflight } from '@joust/results'
import { count, messageOf } from '@joust/source'
import { runPreflight } from '@joust/targets'
import { attackOptionsOf, isSemantic, lostTrial, type SuiteAttack } from '@joust/trials'
import type { TargetPreflight } from './campaign.ts'
import { readTargets } from './campaigns.ts'
import { type Database, jsonbText } from './database.ts'
import { fleetLimits } from './limits.ts'
import type { PendingTarget, TargetKey } from './pending-targets.ts'
import { type LocalJudge, recordSpent, usageCounter, type Worker, type WorkerTarget } from './worker-target.ts'

/**
 * Returns the preflight state of a target, and starts the preflight unless another worker has started it. No run may
 * start until the preflight has passed.
 */
export async function preflightState(
  worker: Worker,
  pending: PendingTarget,
  own: WorkerTarget,
): Promise<'passed' | 'pending' | 'failed'> {
  const { database, queue, name, leaseMs, tell } = worker
  if (own.preflight === null && pending.hasPreflight) {
    const [now] = await readTargets(database, pending.campaign, pending.target)
    own.preflight = now?.preflight ?? null
  }
  if (own.preflight === null) {
    const claim = own.preflightRun === undefined ? await claimPreflight(database, pending, leaseMs) : undefined
    if (claim !== undefined) own.preflightRun = runTargetPreflight(claim, worker, pending, own)
    return 'pending'
  }
  const { result } = own.preflight
  if (result?.status !== 'failed') return 'passed'
  const ended = await endRuns(database, pending, name, `the preflight failed: ${result.reasons.join('; ')}`)
  await queue.clear(pending)
  const remedy = 'fix the target and submit the runs under another --name'
  if (ended > 0)
    tell(
      `campaign ${pending.campaign}: ${pending.target}: preflight failed, ${count(ended, 'run')} inconclusive: ${remedy}`,
    )
  return 'failed'
}

/** The exclusive right to run the preflight of a target. */
interface PreflightClaim {
  /** Number of workers that have tried to run the preflight, including this one. */
  readonly tries: number
  renew(): Promise<unknown>
  /** Releases the claim and does not count this try. */
  release(): Promise<unknown>
}

const KEY = 'campaign = $1 and name = $2'
const LEASE = `preflight_lease = clock_timestamp() + $4::double precision * interval '1 millisecond'`

/** Claims a preflight, or returns undefined if another worker has claimed or finished it. */
async function claimPreflight(
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
  const unclaimed = 'preflight_lease = null, preflight_tries = preflight_tries - 1'
  return (
    rows[0] && {
      tries: rows[0].tries,
      renew: () => pool.query(`update joust.target set ${LEASE} where ${isOwn}`, [...own, leaseMs]),
      release: () => pool.query(`update joust.target set ${unclaimed} where ${isOwn}`, own),
    }
  )
}

/** Runs and records a preflight. Never rejects, because another worker can claim the preflight after a failure. */
async function runTargetPreflight(
  claim: PreflightClaim,
  { database, leaseMs, signal, tell, onPreflight }: Worker,
  pending: PendingTarget,
  own: WorkerTarget,
): Promise<void> {
  const renewing = setInterval(() => claim.renew().catch(() => {}), leaseMs / 3)
  own.busy += 1
  try {
    const preflight = claim.tries > fleetLimits.tries ? ABANDONED : await preflightOf(own, signal)
    await recordSpent(database, own)
    if (signal.aborted && preflight !== ABANDONED) return void (await claim.release())
    // Only the first result is recorded.
    const { rowCount } = await database.query(
      `update joust.target set preflight = $3, preflight_lease = null where ${KEY} and preflight is null`,
      [pending.campaign, pending.target, jsonbText(preflight)],
    )
    if (rowCount === 1 && preflight.result) onPreflight(pending, preflight.result)
  } catch (thrown) {
    // The claim expires and counts as a try.
    tell(`campaign ${pending.campaign}: cannot run the preflight of ${pending.target}: ${messageOf(thrown)}`)
  } finally {
    clearInterval(renewing)
    own.busy -= 1
    own.preflightRun = undefined
  }
}

const ABANDONED: TargetPreflight = {
  result: {
    status: 'failed',
    reasons: [`${fleetLimits.tries} workers crashed or lost their connection during the preflight`],
  },
}

async function preflightOf({ prepared, attacks, spent }: WorkerTarget, signal: AbortSignal): Promise<TargetPreflight> {
  const { redactor, judge, skipPreflight } = prepared
  const suite = [...attacks.values()]
  let options: AttackOptions = {}
  const optionsFor = async (attack: LoadedAttack): Promise<AttackOptions> => {
    const run = {
      file: 'preflight',
      attack,
      arm: 'attack',
      trial: 1,
      isPreflight: true,
      spend: usageCounter(spent),
    } as const
    options = await attackOptionsOf(prepared.run, run, signal)
    return options
  }
  const result = await runPreflight(
    suite.map(({ attack }) => attack),
    { optionsFor, skip: skipPreflight, onStart() {} },
  )
  const mcpVersion = options.mcpVersion ?? result?.mcp_version ?? options.target?.mcpVersion
  const judged = new Map([...attacks].filter(([, attack]) => isSemantic(attack)))
  const isJudged = judge !== undefined && judged.size > 0 && result?.status !== 'failed' && !signal.aborted
  return {
    ...(result && { result: redactPreflight(result, redactor) }),
    ...(mcpVersion !== undefined && { mcpVersion }),
    ...(isJudged && { judged: { about: judge.about, agreements: await agreementsByKey(judge, judged) } }),
  }
}

/** Returns the agreements by `attackKey`, because an attack's name changes when its file gets a second version. */
async function agreementsByKey(judge: LocalJudge, attacks: ReadonlyMap<string, SuiteAttack>) {
  const agreements = await judge.agreements([...attacks.values()])
  return [...attacks].map(([key, { file }]) => [key, agreements.get(file) ?? []] as const)
}

/** Records the unfinished runs of a target as inconclusive and returns their number. */
async function endRuns(
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
