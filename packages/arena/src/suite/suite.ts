/** Many attacks on one target: every trial as it ends, and in the end the results. */
import { type AsyncEvaluators, createCelEvaluator } from '@joust/oatf'
import { judgeTask } from '../judge/judge.ts'
import { messageOf } from '../model/errors.ts'
import { bounds } from '../model/limits.ts'
import type { RunEvent, RunOptions } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { Results, Trial } from '../results/model.ts'
import { redactEnding, redactingSink, redactTrial } from '../results/redact.ts'
import { knownShapes, type Redactor } from '../results/redactor.ts'
import { type AttackRun, runAttack } from '../run.ts'
import type { TraceEnding } from '../trace/header.ts'
import { type Budget, type CallUsage, createBudget } from './budget.ts'
import type { SuiteAttack, SuiteJudge, SuiteOptions, SuiteTrial } from './options.ts'
import { runPool } from './pool.ts'
import { suiteResults } from './results.ts'

/** Runs attacks, yields each trial as it is there and returns the results. Leaving the loop early stops what still runs. */
export async function* runSuite(
  attacks: Iterable<SuiteAttack>,
  options: SuiteOptions = {},
): AsyncGenerator<SuiteTrial, Redacted<Results>, void> {
  const startedAt = new Date()
  const { trials = 1, concurrency = bounds.concurrency, redactor = knownShapes() } = options
  const listed = [...attacks]
  const stop = new AbortController()
  const halt = () => stop.abort(options.signal?.reason)
  if (options.signal?.aborted === true) halt()
  options.signal?.addEventListener('abort', halt)
  const budget = createBudget(options.budget ?? {}, () => stop.abort())
  const done = new Map<string, Redacted<Trial>[]>(listed.map(({ file }) => [file, []]))
  let judged: SuiteJudge | undefined
  try {
    judged = await options.judge?.({ spend: budget.spend, signal: stop.signal })
    const semantic = judged === undefined ? {} : { semantic: judged.evaluator }
    const evaluators = { cel: createCelEvaluator(), ...options.evaluators, ...semantic }
    const desk: Desk = { options, redactor, budget, signal: stop.signal, evaluators }
    const room = Math.max(1, Math.floor(concurrency))
    for await (const result of runPool(plan(listed, trials), room, stop.signal, (job) => runJob(job, desk))) {
      done.get(result.file)?.push(result.trial)
      yield result
    }
    return suiteResults({
      ...options,
      attacks: listed,
      trials,
      done,
      redactor,
      startedAt,
      judged,
      exceeded: budget.exceeded(),
    })
  } finally {
    options.signal?.removeEventListener('abort', halt)
    budget.end()
    judged?.close()
    stop.abort()
    await options.folder?.journal.close()
  }
}

/** Runs a suite to its end; each trial is told as it is there. */
export async function finishSuite(
  suite: ReturnType<typeof runSuite>,
  onTrial?: (trial: SuiteTrial) => void,
): Promise<Redacted<Results>> {
  for (;;) {
    const next = await suite.next()
    if (next.done === true) return next.value
    onTrial?.(next.value)
  }
}

interface Job extends SuiteAttack {
  readonly trial: number
}

/** What all jobs of a suite share. */
interface Desk {
  readonly options: SuiteOptions
  readonly redactor: Redactor
  readonly budget: Budget
  readonly evaluators: AsyncEvaluators
  readonly signal: AbortSignal
}

/** All first trials come before all second ones, so that a suite that is stopped has seen as many attacks as it could. */
function* plan(attacks: readonly SuiteAttack[], trials: number): Generator<Job, void, void> {
  for (let trial = 1; trial <= trials; trial++) for (const attack of attacks) yield { ...attack, trial }
}

async function runJob(job: Job, desk: Desk): Promise<SuiteTrial> {
  const { file, attack, trial } = job
  const { folder, onEvent } = desk.options
  const known = folder?.journal.get(file, trial, attack.fingerprint)
  if (known !== undefined && (await folder?.hasTrace(known.trace))) return { file, trial: known, resumed: true }
  onEvent?.({ file, trial }, { kind: 'run-started' })
  const writer = folder?.openTrace(file, trial)
  const sink = writer && redactingSink(writer, desk.redactor)
  const used = createUsage()
  const run = await runAttack(attack, {
    evaluators: desk.evaluators,
    ...(await optionsOf(job, desk, used.add)),
    ...(sink && { trace: sink }),
    ...(onEvent && { onEvent: (event: RunEvent) => onEvent({ file, trial }, event) }),
  })
  // A fault of the writer is in the diagnostics of the run already.
  sink?.flush()
  await writer?.close(redactEnding(endingOf(run, attack.fingerprint), desk.redactor)).catch(() => {})
  const task = await judgeTask(attack, run.trace, desk.evaluators)
  const { trace, output, printed, ...seen } = run
  const said = {
    ...(output && { answer: output }),
    ...(printed && printed.trim() !== output && { printed }),
    ...used.total(),
    ...(task && { task }),
  }
  const made: Trial = { trial, ...seen, trace: folder?.traceOf(file, trial) ?? '', ...said }
  const kept = redactTrial(made, trace, desk.redactor)
  // A run that was stopped is no result to go on from.
  if (run.ended !== 'interrupted') await folder?.journal.add(file, attack.fingerprint, kept)
  return { file, trial: kept }
}

/** How a run ended, as the last line of its trace tells it. */
function endingOf({ ended, outcome, reasons, exposure, self_play }: AttackRun, fingerprint: string): TraceEnding {
  return {
    ended,
    ...(outcome === 'inconclusive' ? { reasons } : {}),
    exposure,
    fingerprint,
    ...(self_play && { self_play }),
  }
}

/** What the models of one run took. */
function createUsage() {
  const total = { calls: 0, input_tokens: 0, output_tokens: 0 }
  return {
    add({ inputTokens, outputTokens }: CallUsage) {
      total.calls += 1
      total.input_tokens += inputTokens
      total.output_tokens += outputTokens
    },
    total: (): Pick<Trial, 'usage'> => (total.calls === 0 ? {} : { usage: { ...total } }),
  }
}

async function optionsOf(
  job: Job,
  { options, budget, signal }: Desk,
  tally: (usage: CallUsage) => void,
): Promise<RunOptions> {
  const spend = (usage: CallUsage) => {
    tally(usage)
    budget.spend(usage)
  }
  try {
    const made = (await options.run?.({ ...job, spend })) ?? {}
    return { ...made, signal: made.signal === undefined ? signal : AbortSignal.any([signal, made.signal]) }
  } catch (thrown) {
    // The caller could not set the run up: the same as a target that does not start.
    const start = () => Promise.reject(new Error(`the run could not be set up: ${messageOf(thrown)}`))
    return { target: { name: 'none', start }, signal }
  }
}
