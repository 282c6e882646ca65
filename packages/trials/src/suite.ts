/** Runs many attacks against one target. */

import { ArenaError, type Target } from '@joust/arena'
import { linkSignals } from '@joust/io'
import { createCelEvaluator, requireLoaded } from '@joust/oatf'
import type { Redacted, ResultPreflight, Results, ResultTarget } from '@joust/results'
import { knownShapes, redactPreflight } from '@joust/results'
import { defined, describeValue, didYouMean } from '@joust/source'
import { runPreflight, withPreflight } from '@joust/targets'
import { type Arms, createArms } from './arms.ts'
import { type BudgetLimits, createBudget } from './budget.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { trialLimits } from './limits.ts'
import {
  checkNames,
  type SuiteAttack,
  type SuiteJudge,
  type SuiteOptions,
  type SuiteRun,
  type SuiteRunOptions,
  type SuiteTrial,
} from './options.ts'
import { firstTrials, type TrialPlan, trialsFault } from './plan.ts'
import { createPool } from './queue.ts'
import { preflightOfAll, suiteResults } from './results.ts'
import { plannedRuns, type RunKey } from './run-key.ts'
import { createSchedule } from './schedule.ts'
import { attackOptionsOf, runTrial, type TrialJob } from './trial.ts'

/**
 * Runs attacks, yields each trial when it ends, and returns the results. Leaving the loop early stops active runs. Throws
 * an `ArenaError` for duplicate names and invalid numbers, and `InvalidInput` for an attack that is not loaded, before
 * anything starts.
 *
 * @example
 * for await (const { file, trial } of runSuite([{ file: 'a', attack }], { run: () => ({ target }), trials: 3 })) {
 *   console.log(file, trial.outcome)
 * }
 */
export async function* runSuite(
  attacks: Iterable<SuiteAttack>,
  options: SuiteOptions = {},
): AsyncGenerator<SuiteTrial, Redacted<Results>, void> {
  const startedAt = new Date()
  const { trials = 1, concurrency = trialLimits.concurrency, redactor = knownShapes() } = options
  const listed = [...attacks]
  requireValid(listed, options)
  const target = options.about?.name ?? ''
  const plan: TrialPlan = { trials, arms: options.arms ?? 'none' }
  const arms = createArms(listed, plan, { target, strict: options.strict })
  const ledger = createLedger(options.folder)
  const stop = new AbortController()
  const { signal } = linkSignals([options.signal, stop.signal])
  const budget = createBudget(options.budget ?? {}, () => stop.abort())
  const schedule = createSchedule(arms, ledger)
  const described = describingTarget(options.run)
  let judged: SuiteJudge | undefined
  try {
    // An interrupted suite runs no attacks, so it needs no judge.
    judged = signal.aborted ? undefined : await options.judge?.({ spend: budget.spend, signal })
    const semantic = judged && { semantic: judged.evaluator }
    const evaluators = { cel: createCelEvaluator(), ...options.evaluators, ...semantic }
    const shared = { ...options, run: described.run, evaluators, redactor, signal, onCall: budget.spend }
    const named = listed.map(({ file, attack }) => ({ file, fingerprint: attack.fingerprint }))
    const planned = plannedRuns({ campaign: '', targets: [target], trials: firstTrials(plan) }, named)
    const open = yield* schedule.submit([...planned])
    const isResumed = listed.some(({ file }) => arms.resultsOf(file).trials.length > 0)
    const before = isResumed ? (options.folder?.finished.preflights ?? []) : []
    const now = open.length === 0 ? undefined : await preflightFirst(listed, shared)
    const preflight = preflightOfAll(now, before)
    const { run, version } = withVersion(described.run, preflight?.mcp_version, now)
    const queue = createPool()
    await queue.add(now?.status === 'failed' ? [] : open)
    const perform = async (key: RunKey) => ({ key, done: await runAndRecord({ ...shared, run }, key, arms, ledger) })
    for await (const { key, done } of queue.take(perform, { room: concurrency, signal, drain: true })) {
      yield done
      await queue.add(yield* schedule.add(key, done.trial))
    }
    return suiteResults({
      ...options,
      about: options.about ?? described.about(),
      attacks: listed,
      trials,
      runsOf: arms.resultsOf,
      redactor,
      startedAt,
      judged,
      preflight,
      failed: now?.status === 'failed' ? now : undefined,
      mcpVersion: version(),
      exceeded: budget.exceeded(),
    })
  } finally {
    budget.end()
    judged?.close()
    stop.abort()
  }
}

function requireValid(attacks: readonly SuiteAttack[], options: SuiteOptions): void {
  const { broken = [], trials = 1, concurrency, retries, budget } = options
  for (const one of attacks) requireLoaded(one?.attack, 'runSuite')
  const checked = checkNames([...attacks, ...broken])
  if (!checked.ok) throw new ArenaError('names_repeated', checked.error)
  const fault = trialsFault(trials)
  if (fault !== undefined) throw new ArenaError('trials_invalid', fault)
  // A comparison with NaN is false: no run would start, and no budget would end.
  const unknown = Object.keys(budget ?? {}).find((key) => !Object.hasOwn(budgetFields, key))
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, Object.keys(budgetFields))
    throw new ArenaError('options_invalid', `unknown budget limit ${JSON.stringify(unknown)}.${hint}`)
  }
  const numbers: readonly [string, unknown][] = Object.entries({ concurrency, retries, ...budget })
  const [name, value] = numbers.find(([, number]) => number !== undefined && !isAmount(number)) ?? []
  if (name !== undefined) {
    throw new ArenaError('options_invalid', `${name} must be a number of at least 0, not ${describeValue(value)}`)
  }
}

const budgetFields: Readonly<Record<keyof BudgetLimits, true>> = { tokens: true, calls: true, milliseconds: true }

function isAmount(value: unknown): boolean {
  return typeof value === 'number' && value >= 0
}

/**
 * Runs a suite to its end and calls `onTrial` for each trial.
 *
 * @example
 * const results = await finishSuite(runSuite([{ file: 'a', attack }], { run: () => ({ target }) }))
 */
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

/** Runs the preflight. Returns undefined if the preflight was interrupted. */
async function preflightFirst(
  attacks: readonly SuiteAttack[],
  {
    run,
    folder,
    preflight: earlier,
    skipPreflight,
    onPreflight,
    signal,
    redactor,
    onCall: spend,
  }: SuiteOptions & SharedJob,
): Promise<ResultPreflight | undefined> {
  if (signal.aborted) return undefined
  const preflight =
    earlier ??
    (await runPreflight(
      attacks.map(({ attack }) => attack),
      {
        optionsFor: (attack) => attackOptionsOf(run, { ...PREFLIGHT, attack, spend }, signal),
        skip: skipPreflight,
        onStart: () => onPreflight?.('started'),
      },
    ))
  if (preflight === undefined || signal.aborted) return undefined
  const redacted = redactPreflight(preflight, redactor)
  folder?.finished.addPreflight(redacted)
  if (earlier === undefined) onPreflight?.(redacted)
  return preflight
}

/** The run that `SuiteOptions.run` receives for the preflight. */
const PREFLIGHT = { file: 'preflight', arm: 'attack', trial: 1, isPreflight: true } as const

type SharedJob = Required<Pick<TrialJob, 'signal' | 'redactor' | 'evaluators' | 'onCall'>>

type RunOptionsOf = (run: SuiteRun) => Promise<SuiteRunOptions>

/** Wraps `run` to record the first target, whose description is used in the results. */
function describingTarget(run: SuiteOptions['run']) {
  let first: Target | undefined
  return {
    about: (): ResultTarget =>
      first === undefined ? { kind: 'none', name: 'any client' } : { kind: first.kind ?? 'function', name: first.name },
    run: async (which: SuiteRun): Promise<SuiteRunOptions> => {
      const options = (await run?.(which)) ?? {}
      first ??= options.target
      return options
    },
  }
}

/**
 * Applies the preflight, and uses the same MCP version for all runs: that of the options, the preflight, or the first
 * target that has one.
 */
function withVersion(run: RunOptionsOf, negotiated: string | undefined, preflight: ResultPreflight | undefined) {
  let mcpVersion = negotiated
  return {
    version: () => mcpVersion,
    run: async (which: SuiteRun) => {
      const options = await run(which)
      mcpVersion = options.mcpVersion ?? mcpVersion ?? options.target?.mcpVersion
      return withPreflight({ ...options, ...defined({ mcpVersion }) }, preflight)
    },
  }
}

async function runAndRecord(
  shared: SuiteOptions & SharedJob,
  key: RunKey,
  arms: Arms,
  ledger: Ledger,
): Promise<SuiteTrial> {
  const { file, arm, trial } = key
  const attack = arms.attackOf(file, arm)
  shared.onEvent?.({ file, arm, trial }, { type: 'run-started' })
  const done = await runTrial({
    ...shared,
    file,
    attack,
    arm,
    trial,
    openTrace: (header) => ledger.openTrace(key, header),
  })
  // An interrupted run must be run again on resume.
  if (done.ended !== 'interrupted') await ledger.finish(key, done)
  return { file, arm, trial: done }
}
