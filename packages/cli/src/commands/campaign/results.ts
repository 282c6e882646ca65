/** `joust campaign results`: prints a table from the database, or writes a results folder. */
import { relative, resolve } from 'node:path'
import type { CampaignStatus, Fleet, ResultRow } from '@joust/fleet'
import { severityLevels, tiers } from '@joust/oatf'
import { saveResults } from '@joust/results/files'
import { count, defined, jsonText, printable } from '@joust/source'
import { createFaults, withCampaign } from '../../fleet/open.ts'
import type { CampaignResultsOptions } from '../../options/fleet.ts'
import { outcomeText, widest } from '../../render/outcome-text.ts'
import { withArm } from '../../render/plan-text.ts'
import { readRedactor } from '../../run/redaction.ts'
import { type Colours, coloursFor } from '../../terminal/colours.ts'
import { giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

export function results(name: string, options: CampaignResultsOptions, io: Io): Promise<number> {
  return withCampaign(name, String(options.queue), io, async (fleet, status) => {
    if (options.out !== undefined) return exportTo(options.out, status, fleet, io)
    const { outcome, severity, since } = options
    const rows = await fleet.select(name, defined({ outcome, severity, sinceMs: since }))
    io.stdout.write(options.json ? jsonText(rows) : table(rows, coloursFor(io, 'stdout')))
    const faults = createFaults(io)
    for (const { target, file, trial, fault } of rows)
      if (fault) faults.add(`${target}, ${file}, trial ${trial}: ${fault}`)
    return faults.code()
  })
}

const TIER = widest(tiers)
const SEVERITY = widest(severityLevels)

function table(rows: readonly ResultRow[], colours: Colours): string {
  const width = Math.max(0, ...rows.map(({ target }) => target.length))
  const lines = rows.map(({ outcome, tier, severity, target, file, arm, trial, finished }) => {
    const bad = outcome === 'exploited' || outcome === 'partial'
    const level = `${(bad ? (tier ?? '') : '').padEnd(TIER)}  ${(severity ?? '').padEnd(SEVERITY)}`
    return `${outcomeText(outcome, colours)}  ${level}  ${printable(target).padEnd(width)}  ${printable(withArm(`${file} ${trial}`, arm))}  ${colours.dim(finished)}\n`
  })
  return `${lines.join('')}${count(rows.length, 'result')}\n`
}

async function exportTo(out: string, status: CampaignStatus, fleet: Fleet, io: Io): Promise<number> {
  const redactor = readRedactor(status.plan.redact)
  if (!redactor.ok) return wrongUsage([redactor.error], io)
  const folder = resolve(io.cwd, out)
  const faults = createFaults(io)
  const saved = saveResults(folder, await fleet.export(status, folder, redactor.value, faults.add))
  if (!saved.ok) return giveUp(saved.error.message, io)
  if (status.open > 0) tell(io, `INCOMPLETE: ${status.open} of ${status.runs} runs have no result`)
  io.stdout.write(`${printable(relative(io.cwd, saved.value) || saved.value)}\n`)
  return faults.code()
}
