/** Many attacks on one target: every trial as it ends, and finally the results. */
import { linkSignals } from '@joust/io'
import { type AsyncEvaluators, createCelEvaluator, type LoadedAttack } from '@joust/oatf'
import { invariant } from '@joust/source'
import { ArenaError } from '../model/errors.ts'
import { arenaLimits } from '../model/limits.ts'
import type { RunEvent } from '../model/options.ts'
import type { Redacted } from '../model/redacted.ts'
import type { ResultControl, Results, Trial } from '../results/model.ts'
import { redactControl } from '../results/redact.ts'
import { knownShapes, type Redactor } from '../results/redactor.ts'
import { type Budget, createBudget } from './budget.ts'
import { controlOfAll, runControl } from './control.ts'
import { createLedger, type Ledger, plannedRuns, type RunKey } from './ledger.ts'
import { repeatedName, type SuiteAttack, type SuiteJudge, type SuiteOptions, type SuiteTrial } from './options.ts'
import { performRun, runOptionsOf } from './perform.ts'
import { createPool } from './queue.ts'
import { suiteResults } from './results.ts'

/**
 * Runs attacks, yields each trial as it ends, returns the results. Leaving the loop early stops what is running. Attacks
 * that share a name are refused with an `ArenaError` before anything starts.
 */
export async function* runSuite(
  attacks: Iterable<SuiteAttack>,
  options: SuiteOptions = {},
): AsyncGenerator<SuiteTrial, Redacted<Results>, void> {
  const startedAt = new Date()
  const { trials = 1, concurrency = arenaLimits.concurrency, redactor = knownShapes() } = options
  const listed = [...attacks]
  const repeated = repeatedName([...listed, ...(options.broken ?? [])])
  if (repeated !== undefined) throw new ArenaError('names_repeated', repeated)
  const byFile = new Map(listed.map(({ file, attack }) => [file, attack]))
  const ledger = createLedger(options.folder)
  const stop = new AbortController()
  const { signal } = linkSignals([options.signal, stop.signal])
  const budget = createBudget(options.budget ?? {}, () => stop.abort())
  const done = new Map<string, Redacted<Trial>[]>(listed.map(({ file }) => [file, []]))
  let judged: SuiteJudge | undefined
  try {
    judged = await options.judge?.({ spend: budget.spend, signal })
    const semantic = judged === undefined ? {} : { semantic: judged.evaluator }
    const evaluators = { cel: createCelEvaluator(), ...options.evaluators, ...semantic }
    const desk: Desk = { options, ledger, byFile, evaluators, redactor, budget, signal, mcpVersion: undefined }
    const named = listed.map(({ file, attack }) => ({ file, fingerprint: attack.fingerprint }))
    const suite = { campaign: '', targets: [options.about?.name ?? ''], trials }
    const open = await ledger.submit([...plannedRuns(suite, named)])
    for await (const { run, trial } of ledger.results()) {
      done.get(run.file)?.push(trial)
      yield { file: run.file, trial, resumed: true }
    }
    const isGoingOn = [...done.values()].some((trials) => trials.length > 0)
    const before = isGoingOn ? (options.folder?.finished.controls ?? []) : []
    const now = open.length === 0 ? undefined : await controlFirst(listed, desk)
    const control = controlOfAll(now, before)
    desk.mcpVersion = control?.mcp_version
    const queue = createPool()
    await queue.add(now?.status === 'failed' ? [] : open)
    const taking = { room: concurrency, signal, drain: true }
    for await (const result of queue.take((run) => perform(run, desk), taking)) {
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
      control,
      failed: now?.status === 'failed' ? now : undefined,
      mcpVersion: desk.mcpVersion,
      exceeded: budget.exceeded(),
    })
  } finally {
    budget.end()
    judged?.close()
    stop.abort()
  }
}

/** Runs a suite to its end; each trial is reported as it finishes. */
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

/** What all runs of a suite share. */
interface Desk {
  readonly options: SuiteOptions
  readonly ledger: Ledger
  readonly byFile: ReadonlyMap<string, LoadedAttack>
  readonly evaluators: AsyncEvaluators
  readonly redactor: Redactor
  readonly budget: Budget
  readonly signal: AbortSignal
  /** The version of MCP that actors speak by default with this target, if it is not the usual one. */
  mcpVersion: string | undefined
}

/** Runs the control; one that was interrupted says nothing. */
async function controlFirst(attacks: readonly SuiteAttack[], desk: Desk): Promise<ResultControl | undefined> {
  const { options, signal, budget } = desk
  if (signal.aborted) return undefined
  const control = await runControl(attacks, {
    optionsFor: (attack) => {
      const run = { file: CONTROL_FILE, attack, trial: 1, isControl: true } as const
      return runOptionsOf(async (spend) => (await options.run?.({ ...run, spend })) ?? {}, signal, budget.spend)
    },
    skip: options.skipControl,
    onStart: () => options.onControl?.('started'),
  })
  if (control === undefined || signal.aborted) return undefined
  const redacted = redactControl(control, desk.redactor)
  options.folder?.finished.addControl(redacted)
  options.onControl?.(redacted)
  return control
}

/** The file name of the control, for whoever makes its options. */
const CONTROL_FILE = 'control'

async function perform(run: RunKey, desk: Desk): Promise<SuiteTrial> {
  const { file, trial } = run
  const { options, ledger, byFile, evaluators, redactor, budget, signal } = desk
  const { onEvent } = options
  const attack = byFile.get(file)
  invariant(attack !== undefined, 'a run is of an attack of its suite')
  onEvent?.({ file, trial }, { kind: 'run-started' })
  const made = await performRun({
    attack,
    trial,
    options: async (spend) => {
      const wanted = (await options.run?.({ file, attack, trial, spend })) ?? {}
      desk.mcpVersion = wanted.mcpVersion ?? desk.mcpVersion ?? wanted.target?.mcpVersion
      return { ...wanted, ...(desk.mcpVersion !== undefined && { mcpVersion: desk.mcpVersion }) }
    },
    openTrace: () => ledger.openTrace(run),
    evaluators,
    redactor,
    signal,
    retries: options.retries ?? 0,
    onCall: budget.spend,
    ...(onEvent && { onEvent: (event: RunEvent) => onEvent({ file, trial }, event) }),
  })
  // A run that was stopped is not a result to continue from.
  if (made.ended !== 'interrupted') await ledger.finish(run, made)
  return { file, trial: made }
}
