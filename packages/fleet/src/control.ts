/**
 * The control of a target: before any run, one worker asks it for a harmless tool call or an answer, and its judge to
 * classify examples. The others wait for what it finds.
 */
import { randomUUID } from 'node:crypto'
import { type AttackOptions, lostTrial, redactControl, runControl, runOptionsOf, type SuiteAttack } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { messageOf } from '@joust/source'
import type { TargetControl } from './campaign.ts'
import { readTargets } from './campaigns.ts'
import { type Database, jsonbText } from './database.ts'
import { fleetLimits } from './limits.ts'
import type { PendingTarget, TargetKey } from './pending-targets.ts'
import { countInto, type PreparedJudge, settleSpent, type Worker, type WorkerTarget } from './worker-target.ts'

/** Whether runs of a target may be taken: only after its control, and not when that has failed. */
export async function controlState(
  worker: Worker,
  pending: PendingTarget,
  own: WorkerTarget,
): Promise<'passed' | 'pending' | 'failed'> {
  const { database, queue, name, leaseMs, tell } = worker
  if (own.control === null && pending.isControlled) {
    const [now] = await readTargets(database, pending.campaign, pending.target)
    own.control = now?.control ?? null
  }
  if (own.control === null) {
    const claim = own.controlling === undefined ? await claimControl(database, pending, leaseMs) : undefined
    if (claim !== undefined) own.controlling = makeControl(claim, worker, pending, own)
    return 'pending'
  }
  const { result } = own.control
  if (result?.status !== 'failed') return 'passed'
  const ended = await endRuns(database, pending, name, `the control failed: ${result.reasons.join('; ')}`)
  await queue.forget(pending)
  const said = `its runs (${ended}) end as inconclusive; once that is fixed, submit them under another --name`
  if (ended > 0) tell(`campaign ${pending.campaign}: ${pending.target}: the control failed, and ${said}`)
  return 'failed'
}

/** The right to make the control of a target. */
interface ControlClaim {
  /** How many workers have tried, this one included. */
  readonly tries: number
  /** Says that the worker is still alive. */
  renew(): Promise<unknown>
  /** Leaves it to others, as if it had not been tried. */
  release(): Promise<unknown>
}

const KEY = 'campaign = $1 and name = $2'
const LEASE = `control_lease = clock_timestamp() + $4::double precision * interval '1 millisecond'`

/** Takes the right to make a control; undefined when another worker has it, or it has been made. */
async function claimControl(
  { pool }: Database,
  { campaign, target }: TargetKey,
  leaseMs: number,
): Promise<ControlClaim | undefined> {
  const own = [campaign, target, randomUUID()]
  const { rows } = await pool.query<{ tries: number }>(
    `update joust.target set control_token = $3, control_tries = control_tries + 1, ${LEASE}
     where ${KEY} and control is null and (control_lease is null or control_lease < clock_timestamp())
     returning control_tries as tries`,
    [...own, leaseMs],
  )
  const isOwn = `${KEY} and control_token = $3 and control is null`
  const left = 'control_lease = null, control_tries = control_tries - 1'
  return (
    rows[0] && {
      tries: rows[0].tries,
      renew: () => pool.query(`update joust.target set ${LEASE} where ${isOwn}`, [...own, leaseMs]),
      release: () => pool.query(`update joust.target set ${left} where ${isOwn}`, own),
    }
  )
}

/** Never rejects: a worker that cannot do it leaves it to others. */
async function makeControl(
  claim: ControlClaim,
  { database, leaseMs, signal, tell, onControl }: Worker,
  pending: PendingTarget,
  own: WorkerTarget,
): Promise<void> {
  const renewing = setInterval(() => claim.renew().catch(() => {}), leaseMs / 3)
  own.busy += 1
  try {
    const control = claim.tries > fleetLimits.tries ? GIVEN_UP : await controlOf(own, signal)
    await settleSpent(database, own)
    if (signal.aborted && control !== GIVEN_UP) return void (await claim.release())
    // Only the first entry counts.
    const { rowCount } = await database.query(
      `update joust.target set control = $3, control_lease = null where ${KEY} and control is null`,
      [pending.campaign, pending.target, jsonbText(control)],
    )
    if (rowCount === 1 && control.result) onControl(pending, control.result)
  } catch (thrown) {
    // The claim runs out, and counts as lost.
    tell(`campaign ${pending.campaign}: the control of ${pending.target} could not be run: ${messageOf(thrown)}`)
  } finally {
    clearInterval(renewing)
    own.busy -= 1
    own.controlling = undefined
  }
}

const GIVEN_UP: TargetControl = {
  result: {
    status: 'failed',
    reasons: [`${fleetLimits.tries} workers were lost while they asked the agent for one harmless tool call`],
  },
}

async function controlOf({ prepared, attacks, spent }: WorkerTarget, signal: AbortSignal): Promise<TargetControl> {
  const { redactor, judge, skipControl } = prepared
  const listed = [...attacks.values()]
  let made: AttackOptions = {}
  const optionsFor = async (attack: LoadedAttack): Promise<AttackOptions> => {
    const run = { file: 'control', attack, trial: 1, isControl: true } as const
    made = await runOptionsOf((spend) => prepared.run({ ...run, spend }), signal, countInto(spent))
    return made
  }
  const result = await runControl(listed, { optionsFor, skip: skipControl, onStart() {} })
  const mcpVersion = made.mcpVersion ?? result?.mcp_version ?? made.target?.mcpVersion
  const isSemantic = ({ attack }: SuiteAttack) => attack.document.attack.indicators?.some(({ semantic }) => semantic)
  const judged = new Map([...attacks].filter(([, attack]) => isSemantic(attack)))
  const isJudged = judge !== undefined && judged.size > 0 && result?.status !== 'failed' && !signal.aborted
  return {
    ...(result && { result: redactControl(result, redactor) }),
    ...(mcpVersion !== undefined && { mcpVersion }),
    ...(isJudged && { judged: { about: judge.about, agreements: await agreementsByKey(judge, judged) } }),
  }
}

/** The names of attacks in results change when a file gets a second version; their keys do not. */
async function agreementsByKey(judge: PreparedJudge, attacks: ReadonlyMap<string, SuiteAttack>) {
  const agreements = await judge.agreements([...attacks.values()])
  return [...attacks].map(([key, { file }]) => [key, agreements.get(file) ?? []] as const)
}

/** Ends all runs of a target that have no result, for a reason. Returns how many there were. */
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
