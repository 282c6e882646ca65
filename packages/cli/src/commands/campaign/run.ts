/** `joust run … --queue URL`: submits the runs to workers, waits until they end, and reports like a local run. */
import { resolve } from 'node:path'
import type { CampaignPlan, CampaignSpec, CampaignStatus, CampaignTarget, Fleet } from '@joust/fleet'
import { compareResults, suiteCode } from '@joust/results'
import { count, err, jsonText, ok, printable, type Result } from '@joust/source'
import { followCampaign, isOver } from '../../fleet/follow.ts'
import { createFaults, withFleet } from '../../fleet/open.ts'
import { packTarget } from '../../fleet/target-data.ts'
import { renderResults } from '../../render/results-table.ts'
import { tellComparison } from '../../run/baseline.ts'
import { freshFolder, stamp } from '../../run/folders.ts'
import { type PreparedRun, tableOptions } from '../../run/prepare.ts'
import { redactTarget } from '../../run/redaction.ts'
import { writeOutputs } from '../../run/write-outputs.ts'
import { coloursFor } from '../../terminal/colours.ts'
import { exitCodes } from '../../terminal/exit-codes.ts'
import { exitCodeOf, giveUp, type Io, tell, wrongUsage } from '../../terminal/io.ts'

/** Submits the campaign, and follows its progress unless `detach` is set. */
export async function runCampaign(prepared: PreparedRun, io: Io): Promise<number> {
  const { options } = prepared
  const spec = await specOf(prepared, io)
  if (!spec.ok) return wrongUsage([spec.error], io)
  return withFleet(options.queue ?? '', io, async (fleet) => {
    const open = await fleet.submit(spec.value)
    const { name } = spec.value
    if (!options.quiet) tell(io, `campaign ${name}: ${count(open, 'run')} remaining`)
    if (options.detach) {
      io.stdout.write(`${name}\n`)
      return exitCodes.ok
    }
    return io.stoppable((signal) => finish(fleet, name, prepared, signal, io))
  })
}

export async function specOf(prepared: PreparedRun, io: Io): Promise<Result<CampaignSpec, string>> {
  const { selection, targets, redactor, options } = prepared
  const [broken] = selection.broken
  if (broken !== undefined) return err(`${broken.file} is not valid, so nothing was submitted`)
  const packed: CampaignTarget[] = []
  for (const { chosen, plan } of targets) {
    if (plan.about.kind === 'none') return err(NO_TARGET)
    const target = await packTarget(chosen, { ...plan, about: redactTarget(plan.about, redactor) }, io)
    if (!target.ok) return err(chosen.name === undefined ? target.error : `target ${chosen.name}: ${target.error}`)
    packed.push(target.value)
  }
  const attacks = selection.attacks.map(({ file, attack }) => {
    const level = attack.document.attack.severity?.level
    return { file, fingerprint: attack.fingerprint, text: attack.text, ...(level && { severity: level }) }
  })
  return ok({ name: options.name ?? stamp(new Date()), plan: planFor(prepared), targets: packed, attacks })
}

const NO_TARGET = '--queue needs a target: --agent, --model, --target, --exec, or a target in joust.yaml'

/** Creates the campaign plan. A budget that has no effect on some targets still applies to the others. */
function planFor({ options, targets }: PreparedRun): CampaignPlan {
  const { concurrency, retries, redact, strict, judge } = options
  const suites = targets.map(({ suite }) => suite)
  return {
    // The same for all targets.
    trials: suites[0]?.trials ?? 1,
    arms:
      (['all', 'sensitivity', 'placebo', 'unspecific'] as const).find((one) =>
        suites.some(({ arms }) => arms === one),
      ) ?? 'none',
    retries,
    budget: Object.assign({}, ...suites.map((suite) => suite.budget)),
    // A served agent has one address.
    ...(targets.some(({ plan }) => plan.service !== undefined) ? { concurrency: 1 } : concurrency && { concurrency }),
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
    const next = `joust campaign watch ${name} or joust campaign cancel ${name}, with --queue`
    return giveUp(`the campaign continues; to follow or stop it: ${next}`, io, exitCodeOf(signal))
  }
  if (!quiet) tellCounts(status, io)
  const folder = resolve(io.cwd, options.out ?? freshFolder(io.cwd))
  const faults = createFaults(io)
  const results = await fleet.export(status, folder, prepared.redactor, faults.add)
  const compared = baseline && compareResults(baseline, results, { force: options.forceBaseline })
  const comparison = compared?.ok === true ? compared.value : undefined
  const written = await writeOutputs(results, folder, options.report, io, comparison)
  const table = () => renderResults(results, coloursFor(io, 'stdout'), tableOptions(prepared, io))
  io.stdout.write(options.json ? jsonText(results) : table())
  if (!quiet) for (const file of written) tell(io, printable(file))
  if (compared !== undefined) tellComparison(compared, results, io)
  if (written.length === 0) return exitCodes.failure
  if (faults.code() !== exitCodes.ok) return faults.code()
  return suiteCode(results, { failOn, maxErrors, regressions: comparison?.regressions })
}

function tellCounts({ late, retried, stopped, open, runs }: CampaignStatus, io: Io): void {
  if (late > 0) tell(io, `${count(late, 'late result')} not counted`)
  if (retried > 0) tell(io, `${count(retried, 'retry', 'retries')} after external failures`)
  if (stopped !== undefined) tell(io, `${stopped}; ${open} of ${runs} runs have no result`)
}
