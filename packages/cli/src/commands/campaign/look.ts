/** `joust campaign list`, `status` and `watch`. */
import type { CampaignStatus, Fleet, TargetStatus } from '@joust/fleet'
import { jsonText, printable } from '@joust/source'
import type { ArmChoice } from '@joust/trials'
import { followCampaign, isOver, leftText } from '../../fleet/follow.ts'
import { createFaults, unknownCampaign, withCampaign, withFleet } from '../../fleet/open.ts'
import type { CampaignOptions } from '../../options/fleet.ts'
import { trialsText } from '../../render/plan-text.ts'
import { progressLine } from '../../render/progress-line.ts'
import { preflightText } from '../../run/suite.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, type Io } from '../../terminal/io.ts'

export function list({ queue, json }: CampaignOptions, io: Io): Promise<number> {
  return withFleet(String(queue), io, async (fleet) => {
    const statuses = await Promise.all((await fleet.campaigns()).map((name) => fleet.status(name)))
    const all = statuses.filter((status) => status !== undefined)
    if (json) io.stdout.write(jsonText(all))
    else if (all.length === 0) io.stdout.write('no campaigns\n')
    else for (const status of all) io.stdout.write(`${summary(status)}\n`)
    return exitCodes.ok
  })
}

/** Prints the status of a campaign, with the same outcomes as its export. */
export function status(name: string, { queue, json }: CampaignOptions, io: Io): Promise<number> {
  return withCampaign(name, String(queue), io, async (fleet, found) => {
    const faults = createFaults(io)
    const checked = { ...found, ...(await fleet.count(found, faults.add)) }
    io.stdout.write(json ? jsonText(checked) : details(checked))
    return faults.code()
  })
}

export function watch(name: string, { queue, json }: CampaignOptions, io: Io): Promise<number> {
  return withFleet(String(queue), io, (fleet) => io.stoppable((signal) => watchUntil(fleet, name, json, signal, io)))
}

async function watchUntil(fleet: Fleet, name: string, json: boolean, signal: AbortSignal, io: Io): Promise<number> {
  const last = await followCampaign(fleet, name, { signal, quiet: json }, io)
  if (last === undefined) return unknownCampaign(name, fleet, io)
  io.stdout.write(json ? jsonText(last) : details(last))
  return isOver(last) ? exitCodes.ok : exitCodeOf(signal)
}

function stateOf(found: CampaignStatus): string {
  return found.open === 0 ? 'done' : found.state
}

function summary(found: CampaignStatus): string {
  return `${printable(found.name)}  ${stateOf(found)}  ${progressLine(found, { done: 0, ms: 0 })}  ${found.created}`
}

function targetText({ name, preflight, inPreflight }: TargetStatus): string {
  if (inPreflight) return `${name}, preflight: in progress`
  return preflight === undefined ? name : `${name}, ${preflightText(preflight)}`
}

function targetLines(target: TargetStatus): readonly string[] {
  const { left = [] } = target
  const lines = [targetText(target), ...left.map((some) => `  ${leftText(some)}, last at ${some.told}`)]
  return lines.map((line, index) => `${index === 0 ? '  target   ' : '           '}${printable(line)}`)
}

const PLACEBO = '; successful attacks also run without their bait'

const armTexts: { readonly [arms in ArmChoice]: string } = {
  none: '',
  unspecific: '; unspecific attacks also run without their bait',
  placebo: PLACEBO,
  all: '; every attack also runs without its bait',
  sensitivity: `${PLACEBO}, and unsuccessful ones with sim/credulous as the model`,
}

function details(found: CampaignStatus): string {
  const { running, late, retried, tokens, calls, stopped, targets, plan } = found
  const arms = armTexts[plan.arms ?? 'none']
  const lines = [
    summary(found),
    ...targets.flatMap(targetLines),
    `  plan     ${trialsText(plan.trials)} per attack${arms}`,
    `  running  ${running}`,
    `  late     ${late} (another worker finished first; not counted)`,
    `  retried  ${retried} (external failures)`,
    `  models   ${calls} calls, ${tokens} tokens`,
    ...(stopped === undefined ? [] : [`  stopped  ${stopped}`]),
  ]
  return `${lines.join('\n')}\n`
}
