/**
 * The preflight of a target: before any run, one worker asks it for a harmless tool call or an answer, and its judge to
 * classify examples.
 */

import { type AttackOptions, type ResultControl, redactControl, runControl, runOptionsOf } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { messageOf } from '@joust/source'
import type { Database } from './database.ts'
import { fleetLimits } from './limits.ts'
import type { PendingTarget } from './pending-targets.ts'
import {
  claimPreflight,
  endRuns,
  type Preflight,
  type PreflightClaim,
  readPreflight,
  recordPreflight,
} from './preflight.ts'
import type { FleetQueue } from './queue.ts'
import { settleSpent, type WorkerTarget } from './worker-target.ts'

/** How a worker makes preflights. */
interface PreflightOptions {
  readonly name: string
  readonly leaseMs: number
  readonly signal: AbortSignal
  readonly tell: (message: string) => void
  /** Called with the outcome of a control that this worker has made. */
  readonly onControl: (target: PendingTarget, control: ResultControl) => void
}

/** Whether runs of a target may be taken: only after its preflight, and not when its control has failed. */
export async function preflightState(
  database: Database,
  queue: FleetQueue,
  pending: PendingTarget,
  own: WorkerTarget,
  options: PreflightOptions,
): Promise<'passed' | 'pending' | 'failed'> {
  if (own.preflight === undefined && pending.hasPreflight) own.preflight = await readPreflight(database, pending)
  if (own.preflight === undefined) {
    const claim = own.preflighting === undefined ? await claimPreflight(database, pending, options.leaseMs) : undefined
    if (claim !== undefined) own.preflighting = makePreflight(claim, database, pending, own, options)
    return 'pending'
  }
  const { control } = own.preflight
  if (control?.status !== 'failed') return 'passed'
  const ended = await endRuns(database, pending, options.name, `the control failed: ${control.reasons.join('; ')}`)
  await queue.forget(pending)
  const said = `its runs (${ended}) end as inconclusive; once that is fixed, submit them under another --name`
  if (ended > 0) options.tell(`campaign ${pending.campaign}: ${pending.target}: the control failed, and ${said}`)
  return 'failed'
}

/** Never rejects: a worker that cannot do it leaves it to others. */
async function makePreflight(
  claim: PreflightClaim,
  database: Database,
  pending: PendingTarget,
  own: WorkerTarget,
  { leaseMs, signal, tell, onControl }: PreflightOptions,
): Promise<void> {
  const renewing = setInterval(() => claim.renew().catch(() => {}), leaseMs / 3)
  own.busy += 1
  try {
    const preflight = claim.tries > fleetLimits.tries ? GIVEN_UP : await preflightOf(own, signal)
    await settleSpent(database, own)
    if (signal.aborted && preflight !== GIVEN_UP) return void (await claim.release())
    if ((await recordPreflight(database, pending, preflight)) && preflight.control)
      onControl(pending, preflight.control)
  } catch (thrown) {
    // The claim runs out, and counts as lost.
    tell(`campaign ${pending.campaign}: the preflight of ${pending.target} could not be run: ${messageOf(thrown)}`)
  } finally {
    clearInterval(renewing)
    own.busy -= 1
    own.preflighting = undefined
  }
}

const GIVEN_UP: Preflight = {
  control: {
    status: 'failed',
    reasons: [`${fleetLimits.tries} workers were lost while they asked the agent for one harmless tool call`],
  },
}

async function preflightOf({ prepared, attacks, spent }: WorkerTarget, signal: AbortSignal): Promise<Preflight> {
  const { redactor, judge, skipControl } = prepared
  const listed = [...attacks.values()]
  let made: AttackOptions = {}
  const optionsFor = async (attack: LoadedAttack): Promise<AttackOptions> => {
    const run = { file: 'control', attack, trial: 1, isControl: true } as const
    made = await runOptionsOf(
      (spend) => prepared.run({ ...run, spend }),
      signal,
      ({ inputTokens, outputTokens }) => {
        spent.calls += 1
        spent.tokens += inputTokens + outputTokens
      },
    )
    return made
  }
  const control = await runControl(listed, { optionsFor, skip: skipControl, onStart() {} })
  const mcpVersion = made.mcpVersion ?? control?.mcp_version ?? made.target?.mcpVersion
  const judged = listed.filter(({ attack }) => attack.document.attack.indicators?.some(({ semantic }) => semantic))
  const isJudged = judge !== undefined && judged.length > 0 && control?.status !== 'failed' && !signal.aborted
  return {
    ...(control && { control: redactControl(control, redactor) }),
    ...(mcpVersion !== undefined && { mcpVersion }),
    ...(isJudged && { judged: { about: judge.about, agreements: [...(await judge.agreements(judged))] } }),
  }
}
