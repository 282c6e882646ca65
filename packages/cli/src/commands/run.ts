/** `joust run ATTACK… [target]`: lets attacks loose on an agent and says which ones it survives. */
import { relative } from 'node:path'
import { ArenaError, type Results, redactResults } from '@joust/arena'
import { createCelEvaluator } from '@joust/oatf'
import { printable } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { coloursFor } from '../render/colours.ts'
import { jsonText } from '../render/json.ts'
import { tellComparison } from '../run/baseline.ts'
import { createBudget } from '../run/budget.ts'
import { count } from '../run/count.ts'
import { printDryRun } from '../run/dry-run.ts'
import { suiteCode } from '../run/exit-code.ts'
import { openFolder, type ResultsFolder } from '../run/folder.ts'
import { type PreparedRun, prepareRun } from '../run/prepare.ts'
import { createProgress } from '../run/progress.ts'
import { runAll } from '../run/run-suite.ts'
import { renderResults } from '../run/table.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { exitCodes } from '../terminal/exit-codes.ts'
import { exitCodeOf } from '../terminal/interruption.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'

/** Runs the attacks; results on stdout, progress on stderr, files in the folder of the results. */
export async function run(paths: readonly string[], options: RunOptions, io: Io): Promise<number> {
  const prepared = await prepareRun(paths, options, io)
  if (!prepared.ok) return prepared.error
  if (options.dryRun) {
    const { selection, target } = prepared.value
    printDryRun(selection.attacks, target, options, io)
    return selection.broken.length === 0 ? exitCodes.ok : exitCodes.errorVerdict
  }
  const startedAt = new Date()
  const { selection, target, redaction, plan } = prepared.value
  const use = { target: target.about, redaction, attacks: selection.attacks, trials: plan.trials }
  const folder = await openFolder(options, use, startedAt, io)
  if (!folder.ok) return wrongUsage([folder.error], io)
  if (!options.quiet) announce(prepared.value, folder.value, io)
  return io.stoppable(async (signal) => {
    try {
      const results = await attack(prepared.value, folder.value, options, startedAt, signal, io)
      await folder.value.journal.close()
      return await conclude(results, prepared.value, folder.value, options, signal, io)
    } catch (thrown) {
      if (!(thrown instanceof ArenaError)) throw thrown
      // A full disk, say: what has been kept until then can be gone on from.
      io.stderr.write(`joust: ${printable(thrown.message)}\n`)
      return exitCodes.failure
    }
  })
}

async function attack(
  { plan, redaction, selection, target, cassettes, judging }: PreparedRun,
  folder: ResultsFolder,
  options: RunOptions,
  startedAt: Date,
  signal: AbortSignal,
  io: Io,
): Promise<Results> {
  const { attacks, broken } = selection
  const stop = new AbortController()
  const halt = () => stop.abort(signal.reason)
  signal.addEventListener('abort', halt)
  if (signal.aborted) halt()
  const budget = createBudget(plan, () => stop.abort())
  const judge = await judging?.begin({ signal: stop.signal, budget, quiet: options.quiet })
  try {
    return await runAll({
      attacks,
      broken,
      target,
      plan,
      folder,
      redaction,
      evaluators: { cel: createCelEvaluator(), ...(judge && { semantic: judge.evaluator }) },
      judge,
      cassettes,
      allowHosts: options.allowHost,
      budget,
      progress: createProgress(io, attacks.length * plan.trials, options.quiet),
      signal: stop.signal,
      startedAt,
    })
  } finally {
    budget.end()
    judge?.close()
    signal.removeEventListener('abort', halt)
  }
}

async function conclude(
  results: Results,
  { plan, redaction, selection, baseline }: PreparedRun,
  folder: ResultsFolder,
  options: RunOptions,
  signal: AbortSignal,
  io: Io,
): Promise<number> {
  const { json, quiet, report: formats } = options
  // Everything that anybody sees is what is written.
  const told = redactResults(results, redaction.results)
  const written = await writeOutputs(told, folder.path, formats, redaction.results, io)
  io.stdout.write(json ? jsonText(told) : renderResults(told, coloursFor(io, 'stdout')))
  if (!quiet) {
    const { filtered } = selection
    if (filtered > 0) io.stderr.write(`joust: the filters left out ${count(filtered, 'attack')}\n`)
    for (const file of written) io.stderr.write(`joust: ${printable(relative(io.cwd, file) || file)}\n`)
  }
  const comparison = baseline === undefined ? undefined : tellComparison(baseline, told, options.forceBaseline, io)
  if (signal.aborted) return exitCodeOf(signal)
  if (written.length < 1 + formats.filter((format) => format !== 'json').length) return exitCodes.failure
  const { failOn, maxErrors } = plan
  const regressions = comparison && new Set(comparison.regressions.map(({ file }) => file))
  return suiteCode(results, { failOn, maxErrors, regressions })
}

function announce({ selection, target, plan }: PreparedRun, { journal }: ResultsFolder, io: Io): void {
  const { trials, concurrency } = plan
  const earlier = journal.found === 0 ? '' : `, ${count(journal.found, 'result')} from before`
  const runs = `${count(selection.attacks.length, 'attack')} × ${count(trials, 'trial')}, ${concurrency} at a time${earlier}`
  io.stderr.write(`joust: ${runs}\njoust: target: ${target.about.kind} ${printable(target.about.name)}\n`)
}
