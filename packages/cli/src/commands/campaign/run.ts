/** `joust run … --queue URL`: hands the runs to workers, waits for them, and ends as a run on this machine does. */
import { resolve } from 'node:path'
import { suiteCode } from '@joust/arena'
import type { CampaignPlan, CampaignSpec, CampaignStatus, CampaignTarget, Fleet } from '@joust/fleet'
import { count, err, jsonText, ok, printable, type Result } from '@joust/source'
import { followCampaign, isOver } from '../../fleet/follow.ts'
import { createFaults, withFleet } from '../../fleet/open.ts'
import { packTarget } from '../../fleet/target-data.ts'
import { coloursFor } from '../../render/colours.ts'
import { renderResults } from '../../render/results-table.ts'
import { tellComparison } from '../../run/baseline.ts'
import { freshFolder, stamp } from '../../run/folders.ts'
import { type PreparedRun, tableOptions } from '../../run/prepare.ts'
import { redactTarget } from '../../run/redaction.ts'
import { writeOutputs } from '../../run/write-outputs.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** Submits the campaign, and follows it unless told not to. */
export async function runCampaign(prepared: PreparedRun, io: Io): Promise<number> {
  const { options } = prepared
  const spec = await specOf(prepared, io)
  if (!spec.ok) return wrongUsage([spec.error], io)
  return withFleet(options.queue ?? '', io, async (fleet) => {
    const open = await fleet.submit(spec.value)
    const { name } = spec.value
    if (!options.quiet) tell(io, `campaign ${name}: ${count(open, 'run')} to do`)
    if (options.detach) {
      io.stdout.write(`${name}\n`)
      return exitCodes.ok
    }
    return io.stoppable((signal) => finish(fleet, name, prepared, signal, io))
  })
}

/** A prepared run as a campaign; the error is a sentence. */
export async function specOf(prepared: PreparedRun, io: Io): Promise<Result<CampaignSpec, string>> {
  const { selection, targets, redactor, options } = prepared
  const [broken] = selection.broken
  if (broken !== undefined) return err(`${broken.file} is not valid, so nothing was submitted`)
  const packed: CampaignTarget[] = []
  for (const { given, target } of targets) {
    if (target.about.kind === 'none') return err(NOBODY)
    const made = await packTarget(given, { ...target, about: redactTarget(target.about, redactor) }, io)
    if (!made.ok) return err(given.name === undefined ? made.error : `target ${given.name}: ${made.error}`)
    packed.push(made.value)
  }
  const attacks = selection.attacks.map(({ file, attack }) => {
    const level = attack.document.attack.severity?.level
    return { file, fingerprint: attack.fingerprint, text: attack.text, ...(level && { severity: level }) }
  })
  return ok({ name: options.name ?? stamp(new Date()), plan: planFor(prepared), targets: packed, attacks })
}

const NOBODY = '--queue needs a target: --agent, --model, --target or --exec, or one of joust.yaml'

/** What holds for all targets. A budget that has no effect on some of them still holds for the others. */
function planFor({ options, targets }: PreparedRun): CampaignPlan {
  const { trials, concurrency, retries, redact, strict, judge } = options
  return {
    trials,
    retries,
    budget: Object.assign({}, ...targets.map(({ plan }) => plan.budget)),
    ...(concurrency && { concurrency }),
    redact,
    strict,
    ...(judge && { judge }),
  }
}

async function finish(fleet: Fleet, name: string, prepared: PreparedRun, signal: AbortSignal, io: Io): Promise<number> {
  const { baseline, options } = prepared
  const { quiet, failOn, maxErrors } = options
  const status = await followCampaign(fleet, name, { signal, quiet }, io)
  if (status === undefined) return giveUp(`the campaign ${name} was deleted`, io)
  if (!isOver(status)) {
    const next = `joust campaign watch ${name}, or cancel ${name}, with --queue`
    return giveUp(`the campaign continues without this command: ${next}`, io, exitCodeOf(signal))
  }
  if (!quiet) tellBooks(status, io)
  const folder = resolve(io.cwd, options.out ?? freshFolder(io.cwd))
  const faults = createFaults(io)
  const results = await fleet.export(status, folder, prepared.redactor, faults.add)
  const written = await writeOutputs(results, folder, options.report, io)
  io.stdout.write(
    options.json ? jsonText(results) : renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io)),
  )
  if (!quiet) for (const file of written) tell(io, printable(file))
  const comparison = baseline === undefined ? undefined : tellComparison(baseline, results, options.forceBaseline, io)
  if (written.length === 0) return exitCodes.failure
  if (faults.code() !== exitCodes.ok) return faults.code()
  return suiteCode(results, { failOn, maxErrors, regressions: comparison?.regressions })
}

/** Prints what the outcomes alone do not show. */
function tellBooks({ late, retried, stopped, open, runs }: CampaignStatus, io: Io): void {
  if (late > 0) tell(io, `${count(late, 'result')} came too late and did not count`)
  if (retried > 0)
    tell(io, `${count(retried, 'time')} a run was repeated because something outside the agent had failed`)
  if (stopped !== undefined) tell(io, `${stopped}; ${open} of ${runs} runs have no result`)
}
