/** Opens a target: one worker asks it for a harmless tool call, and its judge for what it makes of examples, before any run. */
import { type ResultControl, type RunOptions, redactControl, runControl, runOptionsOf } from '@joust/arena'
import type { LoadedAttack } from '@joust/oatf'
import { type Bench, settleSpent } from './bench.ts'
import type { Database } from './database.ts'
import { messageOf } from './errors.ts'
import { fleetLimits } from './limits.ts'
import type { Offer } from './offers.ts'
import {
  bookOpening,
  claimOpening,
  endRuns,
  type Opening,
  type OpeningClaim,
  readOpening,
  releaseOpening,
  renewOpening,
} from './opening.ts'
import type { FleetQueue } from './queue.ts'

/** How a worker opens targets. */
interface OpenOptions {
  readonly name: string
  readonly leaseMs: number
  readonly signal: AbortSignal
  readonly tell: (message: string) => void
  /** Hears what came of a control that this worker has made. */
  readonly onControl: (offer: Offer, control: ResultControl) => void
}

/** Whether runs of a target may be taken: only once it was opened, and not when its control has failed. */
export async function standingOf(
  database: Database,
  queue: FleetQueue,
  offer: Offer,
  bench: Bench,
  options: OpenOptions,
): Promise<'open' | 'held' | 'over'> {
  if (bench.opening === undefined && offer.isOpened) {
    const found = await readOpening(database, offer)
    if (found !== undefined) bench.opening = found
  }
  if (bench.opening === undefined) {
    const claim = bench.opener === undefined ? await claimOpening(database, offer, options.leaseMs) : undefined
    if (claim !== undefined) bench.opener = openAs(claim, database, offer, bench, options)
    return 'held'
  }
  const { control } = bench.opening
  if (control?.status !== 'failed') return 'open'
  const ended = await endRuns(database, offer, options.name, `the control failed: ${control.reasons.join('; ')}`)
  await queue.forget(offer)
  const said = `its runs (${ended}) end as inconclusive; once that is mended, submit them under another --name`
  if (ended > 0) options.tell(`campaign ${offer.campaign}: ${offer.target}: the control failed, and ${said}`)
  return 'over'
}

/** Never rejects: a worker that cannot do it leaves it to others. */
async function openAs(
  claim: OpeningClaim,
  database: Database,
  offer: Offer,
  bench: Bench,
  options: OpenOptions,
): Promise<void> {
  const { leaseMs, signal, tell, onControl } = options
  const renewing = setInterval(() => renewOpening(database, offer, claim, leaseMs).catch(() => {}), leaseMs / 3)
  bench.busy += 1
  try {
    const opening = claim.tries > fleetLimits.tries ? GIVEN_UP : await openTarget(bench, signal)
    await settleSpent(database, bench)
    if (signal.aborted && opening !== GIVEN_UP) return await releaseOpening(database, offer, claim)
    if ((await bookOpening(database, offer, opening)) && opening.control) onControl(offer, opening.control)
  } catch (thrown) {
    // The claim runs out, and counts as one that was lost.
    tell(`campaign ${offer.campaign}: ${offer.target} could not be opened: ${messageOf(thrown)}`)
  } finally {
    clearInterval(renewing)
    bench.busy -= 1
    bench.opener = undefined
  }
}

const GIVEN_UP: Opening = {
  control: {
    status: 'failed',
    reasons: [`${fleetLimits.tries} workers were lost while they asked the agent for one harmless tool call`],
  },
}

async function openTarget({ prepared, attacks, spent }: Bench, signal: AbortSignal): Promise<Opening> {
  const { redactor, judge, skipControl } = prepared
  const listed = [...attacks.values()]
  let made: RunOptions = {}
  const optionsFor = async (attack: LoadedAttack): Promise<RunOptions> => {
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
