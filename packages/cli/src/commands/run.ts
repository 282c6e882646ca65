/** `joust run ATTACK… [target]`: lets attacks loose on an agent and says which ones it survives. */
import { relative } from 'node:path'
import { ArenaError, type Redacted, type Results, type SuiteFolder, suiteCode } from '@joust/arena'
import { jsonText, printable } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { coloursFor } from '../render/colours.ts'
import { tellComparison } from '../run/baseline.ts'
import { count } from '../run/count.ts'
import { printDryRun } from '../run/dry-run.ts'
import { type PreparedRun, prepareRun } from '../run/prepare.ts'
import { attackTarget, openFolder } from '../run/suite.ts'
import { renderResults } from '../run/table.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Runs the attacks; results on stdout, progress on stderr, files in the folder of the results. */
export async function run(paths: readonly string[], options: RunOptions, io: Io): Promise<number> {
  if (options.queue !== undefined) {
    const { runCampaign } = await import('./campaign/run.ts')
    return runCampaign(paths, { ...options, queue: options.queue }, io)
  }
  const read = await prepareRun(paths, options, io)
  if (!read.ok) return read.error
  const prepared = read.value
  if (options.dryRun) {
    const { selection, target } = prepared
    printDryRun(selection.attacks, target, options, io)
    return selection.broken.length === 0 ? exitCodes.ok : exitCodes.errorVerdict
  }
  const folder = await openFolder(options, prepared, io)
  if (!folder.ok) return wrongUsage([folder.error], io)
  const quiet = options.quiet === true
  if (!quiet) announce(prepared, folder.value, io)
  return io.stoppable(async (signal) => {
    try {
      const job = { ...prepared, folder: folder.value, allowHosts: options.allowHost ?? [], quiet, signal }
      const results = await attackTarget(job, io)
      return await conclude(results, prepared, folder.value, options, signal, io)
    } catch (thrown) {
      if (!(thrown instanceof ArenaError)) throw thrown
      // A full disk, say: what has been kept until then can be gone on from.
      io.stderr.write(`joust: ${printable(thrown.message)}\n`)
      return exitCodes.failure
    }
  })
}

async function conclude(
  results: Redacted<Results>,
  { plan, selection, baseline }: PreparedRun,
  folder: SuiteFolder,
  options: RunOptions,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { json, quiet, report: formats } = options
  const written = await writeOutputs(results, folder.path, formats, io)
  io.stdout.write(json ? jsonText(results) : renderResults(results, coloursFor(io, 'stdout')))
  if (!quiet) {
    const { filtered } = selection
    if (filtered > 0) io.stderr.write(`joust: the filters left out ${count(filtered, 'attack')}\n`)
    for (const file of written) io.stderr.write(`joust: ${printable(relative(io.cwd, file) || file)}\n`)
  }
  const comparison = baseline === undefined ? undefined : tellComparison(baseline, results, options.forceBaseline, io)
  if (signal.aborted) return exitCodeOf(signal)
  if (written.length < 1 + formats.filter((format) => format !== 'json').length) return exitCodes.failure
  const { failOn, maxErrors } = plan
  return suiteCode(results, { failOn, maxErrors, regressions: comparison?.regressions })
}

function announce({ selection, target, plan }: PreparedRun, { journal }: SuiteFolder, io: Io): void {
  const { trials, concurrency } = plan
  const earlier = journal.found === 0 ? '' : `, ${count(journal.found, 'result')} from before`
  const runs = `${count(selection.attacks.length, 'attack')} × ${count(trials, 'trial')}, ${concurrency} at a time${earlier}`
  io.stderr.write(`joust: ${runs}\njoust: target: ${target.about.kind} ${printable(target.about.name)}\n`)
}
