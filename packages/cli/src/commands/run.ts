/** `joust run ATTACK… [target]`: lets attacks loose on an agent and says which ones it survives. */
import { relative } from 'node:path'
import { createCelEvaluator } from '@joust/oatf'
import { printable } from '@joust/source'
import { exitCodeOf } from '../interruption.ts'
import type { Io } from '../io.ts'
import { coloursFor } from '../render/colours.ts'
import { jsonText } from '../render/json.ts'
import { readFormats } from '../report/formats.ts'
import { type Selection, selectAttacks } from '../run/attacks.ts'
import { readBaseline, tellComparison } from '../run/baseline.ts'
import { createBudget } from '../run/budget.ts'
import { planCassettes } from '../run/cassette.ts'
import { printDryRun } from '../run/dry-run.ts'
import { suiteCode } from '../run/exit-code.ts'
import { openFolder, type ResultsFolder } from '../run/folder.ts'
import { planJudge } from '../run/judge.ts'
import type { RunWords } from '../run/options.ts'
import { readPlan, type SuitePlan } from '../run/plan.ts'
import { createProgress } from '../run/progress.ts'
import { readRedaction } from '../run/redaction.ts'
import { runAll } from '../run/run-suite.ts'
import { renderResults } from '../run/table.ts'
import { planTarget, type TargetPlan } from '../run/target.ts'
import { writeOutputs } from '../run/write-outputs.ts'
import { wrongUsage } from '../wrong-usage.ts'

/** Runs the attacks; results on stdout, progress on stderr, files in the folder of the results. */
export async function run(words: readonly string[], options: RunWords, io: Io): Promise<number> {
  const plan = readPlan(options)
  if (!plan.ok) return wrongUsage(plan.error, io)
  const redaction = readRedaction(options.redact)
  if (!redaction.ok) return wrongUsage([redaction.error], io)
  const formats = readFormats('--report', options.report ?? 'html')
  if (typeof formats === 'string') return wrongUsage([formats], io)
  const selected = await selectAttacks(words, options, io)
  if (!selected.ok) return selected.error
  const target = await planTarget(options, io)
  if (!target.ok) return target.error
  const fault = wiringFault(selected.value, target.value)
  if (fault !== undefined) return wrongUsage([fault], io)
  if (options.dryRun) {
    printDryRun(selected.value.attacks, target.value.about, io)
    return 0
  }
  const cassettes = await planCassettes(options, target.value.about, redaction.value.traces, io)
  if (!cassettes.ok) return wrongUsage([cassettes.error], io)
  const judging = await planJudge(options.judge, selected.value.attacks, cassettes.value, io)
  if (!judging.ok) return wrongUsage([judging.error], io)
  const baseline = await readBaseline(options.baseline, io)
  if (!baseline.ok) return wrongUsage([baseline.error], io)
  const startedAt = new Date()
  const folder = await openFolder(options, startedAt, io)
  if (!folder.ok) return wrongUsage([folder.error], io)
  const { attacks, broken, filtered } = selected.value
  announce(selected.value, target.value, plan.value, folder.value, options, io)
  return io.stoppable(async (signal) => {
    const stop = new AbortController()
    const halt = () => stop.abort(signal.reason)
    signal.addEventListener('abort', halt)
    const budget = createBudget(plan.value, () => stop.abort())
    const judge = await judging.value?.begin({ signal: stop.signal, budget, quiet: options.quiet === true })
    const results = await runAll({
      attacks,
      broken,
      target: target.value,
      plan: plan.value,
      folder: folder.value,
      redaction: redaction.value,
      evaluators: { cel: createCelEvaluator(), ...(judge && { semantic: judge.evaluator }) },
      judge,
      cassettes: cassettes.value,
      allowHosts: options.allowHost ?? [],
      budget,
      progress: createProgress(io, attacks.length * plan.value.trials, options.quiet === true),
      signal: stop.signal,
      startedAt,
    })
    budget.end()
    judge?.close()
    signal.removeEventListener('abort', halt)
    await folder.value.journal.close()
    const written = await writeOutputs(results, folder.value.path, formats, redaction.value.results, io)
    if (options.json) io.stdout.write(jsonText(results))
    else io.stdout.write(renderResults(results, coloursFor(io, 'stdout')))
    if (filtered > 0 && !options.quiet) io.stderr.write(`joust: ${filtered} attacks were left out by the filters\n`)
    if (!options.quiet)
      for (const file of written) io.stderr.write(`joust: ${printable(relative(io.cwd, file) || file)}\n`)
    const comparison = baseline.value === undefined ? undefined : tellComparison(baseline.value, results, io)
    if (signal.aborted) return exitCodeOf(signal)
    const { failOn, maxErrors } = plan.value
    const regressions = comparison && new Set(comparison.regressions.map(({ file }) => file))
    return suiteCode(results, { failOn, maxErrors, regressions })
  })
}

/** Without a target, a client actor would have nowhere to go. */
function wiringFault({ attacks }: Selection, { about }: TargetPlan): string | undefined {
  if (about.kind !== 'none') return undefined
  const lost = attacks.find(({ document }) =>
    document.attack.execution.actors?.some(({ mode }) => mode.endsWith('_client')),
  )
  if (lost === undefined) return undefined
  return `${lost.file} has a client actor, which needs somebody to connect to: give --agent, --model, --target or --wire`
}

function announce(
  { attacks }: Selection,
  { about }: TargetPlan,
  { trials, concurrency }: SuitePlan,
  folder: ResultsFolder,
  { quiet }: RunWords,
  io: Io,
): void {
  if (quiet) return
  const { found } = folder.journal
  const earlier = found === 0 ? '' : `, ${found} results are there already`
  const count = `${attacks.length} attacks × ${trials} ${trials === 1 ? 'trial' : 'trials'}, ${concurrency} at a time${earlier}`
  io.stderr.write(`joust: ${count}\njoust: target: ${about.kind} ${printable(about.name)}\n`)
}
