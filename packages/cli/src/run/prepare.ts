/** Everything that a run needs, read and checked before anything is opened. */
import type { Redactor, Results, SuiteOptions } from '@joust/arena'
import { err, ok, printable, type Result } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import type { Io } from '../terminal/io.ts'
import { wrongUsage } from '../terminal/wrong-usage.ts'
import { type Selection, selectAttacks } from './attacks.ts'
import { baselineFaults, readBaseline } from './baseline.ts'
import { type Cassettes, planCassettes } from './cassette.ts'
import { sharesPorts, wiringFaults, wiringHints } from './check-wiring.ts'
import { planJudge } from './judge.ts'
import { planOf, type SuitePlan } from './plan.ts'
import { readRedactor, redactTarget } from './redaction.ts'
import { tellShortfalls } from './shortfalls.ts'
import { planTarget, type TargetPlan } from './target.ts'

/** A run that can begin. */
export interface PreparedRun {
  readonly plan: SuitePlan
  readonly redactor: Redactor
  readonly selection: Selection
  readonly target: TargetPlan
  readonly cassettes: Cassettes | undefined
  readonly judge: SuiteOptions['judge']
  readonly baseline: Results | undefined
}

/** Reads what the options name; the exit code after saying what is wrong with it. */
export async function prepareRun(
  paths: readonly string[],
  options: RunOptions,
  io: Io,
): Promise<Result<PreparedRun, number>> {
  const refuse = (...faults: readonly string[]) => err(wrongUsage(faults, io))
  if (options.failOn === 'regression' && options.baseline === undefined)
    return refuse('--fail-on regression needs --baseline FILE')
  const plan = planOf(options)
  const redactor = readRedactor(options.redact, !options.showSecrets)
  if (!redactor.ok) return refuse(redactor.error)
  const selected = await selectAttacks(paths, options, io)
  if (!selected.ok) return selected
  const { attacks } = selected.value
  const target = await planTarget(options, io)
  if (!target.ok) return target
  const { about } = target.value
  const faults = wiringFaults(attacks, options, about)
  if (faults.length > 0) return refuse(...faults)
  // A recording that hides more than it was told to would not replay what was said.
  const named = readRedactor(options.redact, false)
  if (!named.ok) return refuse(named.error)
  const cassettes = await planCassettes(options, named.value, io)
  if (!cassettes.ok) return refuse(cassettes.error)
  const judging = await planJudge(options.judge, attacks, cassettes.value, options.quiet === true, io)
  if (!judging.ok) return refuse(judging.error)
  const baseline = await readBaseline(options.baseline, io)
  if (!baseline.ok) return refuse(baseline.error)
  if (baseline.value !== undefined && !options.forceBaseline) {
    const unlike = baselineFaults(baseline.value, redactTarget(about, redactor.value), attacks)
    if (unlike.length > 0) return refuse(...unlike)
  }
  tellShortfalls(attacks, options.judge, io)
  if (!options.quiet) tellHints(wiringHints(attacks, options, about), io)
  return ok({
    plan: sharesPorts(attacks, plan.trials, options) ? { ...plan, concurrency: 1 } : plan,
    redactor: redactor.value,
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
