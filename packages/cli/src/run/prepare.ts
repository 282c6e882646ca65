/** Everything that a run needs, read and checked before anything is opened. */
import type { Redactor, Results, SuiteOptions } from '@joust/arena'
import { err, ok, printable, type Result } from '@joust/source'
import { type ReportFormat, readFormats } from '../report/formats.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import { type Selection, selectAttacks } from './attacks.ts'
import { baselineFaults, readBaseline } from './baseline.ts'
import { type Cassettes, planCassettes } from './cassette.ts'
import { optionFaults } from './check-options.ts'
import { sharesPorts, wiringFaults, wiringHints } from './check-wiring.ts'
import { planJudge } from './judge.ts'
import type { RunWords } from './options.ts'
import { readPlan, type SuitePlan } from './plan.ts'
import { readRedactor, redactTarget } from './redaction.ts'
import { planTarget, type TargetPlan } from './target.ts'

/** A run that can begin. */
export interface PreparedRun {
  readonly plan: SuitePlan
  readonly redactor: Redactor
  readonly formats: readonly ReportFormat[]
  readonly selection: Selection
  readonly target: TargetPlan
  readonly cassettes: Cassettes | undefined
  readonly judge: SuiteOptions['judge']
  readonly baseline: Results | undefined
}

/** Reads all words; the exit code after saying what is wrong with them. */
export async function prepareRun(
  words: readonly string[],
  options: RunWords,
  io: Io,
): Promise<Result<PreparedRun, number>> {
  const refuse = (...faults: readonly string[]) => err(wrongUsage(faults, io))
  const plan = readPlan(options)
  if (!plan.ok) return refuse(...plan.error)
  const redactor = readRedactor(options.redact, options.showSecrets !== true)
  if (!redactor.ok) return refuse(redactor.error)
  const formats = readFormats('--report', options.report ?? 'html')
  if (typeof formats === 'string') return refuse(formats)
  const selected = await selectAttacks(words, options, io)
  if (!selected.ok) return selected
  const { attacks } = selected.value
  const target = await planTarget(options, io, plan.value.runMs)
  if (!target.ok) return target
  const { about } = target.value
  const faults = [...optionFaults(options, about), ...wiringFaults(attacks, options, about)]
  if (faults.length > 0) return refuse(...faults)
  const cassettes = await planCassettes(options, about, redactor.value, io)
  if (!cassettes.ok) return refuse(cassettes.error)
  const judging = await planJudge(options.judge, attacks, cassettes.value, options.quiet === true, io)
  if (!judging.ok) return refuse(judging.error)
  const baseline = await readBaseline(options.baseline, io)
  if (!baseline.ok) return refuse(baseline.error)
  if (baseline.value !== undefined && options.forceBaseline !== true) {
    const unlike = baselineFaults(baseline.value, redactTarget(about, redactor.value), attacks)
    if (unlike.length > 0) return refuse(...unlike)
  }
  if (!options.quiet) tellHints(wiringHints(attacks, options, about), io)
  return ok({
    plan: sharesPorts(attacks, plan.value.trials, options) ? { ...plan.value, concurrency: 1 } : plan.value,
    redactor: redactor.value,
    formats,
    selection: selected.value,
    target: target.value,
    cassettes: cassettes.value,
    judge: judging.value,
    baseline: baseline.value,
  })
}

function tellHints(hints: readonly string[], io: Io): void {
  for (const hint of hints) io.stderr.write(`joust: ${printable(hint)}\n`)
}
