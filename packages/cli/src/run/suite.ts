/** One suite of the command: the arena runs it, progress goes to stderr. */
import {
  ArenaError,
  type AttackOptions,
  type CallUsage,
  finishSuite,
  type Redacted,
  type Redactor,
  type ResultControl,
  type Results,
  type RunLimits,
  runSuite,
  type SuiteFolder,
  type SuiteOptions,
  type SuiteRun,
  type SuiteTrial,
} from '@joust/arena'
import type { RunEvent as AgentEvent } from '@joust/runtime'
import { defined } from '@joust/source'
import type { RunOptions } from '../options/run.ts'
import { createProgress, type Loudness } from '../render/progress.ts'
import type { Cassettes } from '../target/cassette.ts'
import type { TargetPlan } from '../target/target-plan.ts'
import { giveUp, type Io, tell } from '../terminal/io.ts'
import type { Selection } from './attacks.ts'
import type { SuitePlan } from './plan.ts'

/** Everything a suite needs. */
export interface SuiteJob {
  readonly selection: Pick<Selection, 'attacks' | 'broken'>
  readonly target: TargetPlan
  readonly plan: SuitePlan
  /** Without a folder, nothing is kept. */
  readonly folder?: SuiteFolder | undefined
  readonly redactor: Redactor
  readonly judge?: SuiteOptions['judge']
  readonly cassettes?: Cassettes | undefined
  readonly allowHosts?: readonly string[]
  /** Why the target is not controlled first. */
  readonly skipControl?: string | undefined
  /** Put before the name of each attack, where there are several targets. */
  readonly lead?: string
  readonly loudness: Loudness
  readonly signal: AbortSignal
  readonly onEvent?: SuiteOptions['onEvent']
  readonly onControl?: SuiteOptions['onControl']
  readonly onTrial?: (trial: SuiteTrial) => void
  /** Called with what happens inside an agent of our own runtime. */
  readonly onAgentEvent?: (run: Pick<SuiteRun, 'file' | 'trial'>, event: AgentEvent) => void
}

/** Called with what a suite does, in addition to the progress on stderr. */
export type SuiteWatch = Pick<SuiteJob, 'onEvent' | 'onControl' | 'onTrial'>

/** How much to report, according to the options. */
export function loudnessOf({ quiet, verbose }: Pick<RunOptions, 'quiet' | 'verbose'>): Loudness {
  if (quiet) return 'quiet'
  return verbose ? 'verbose' : 'normal'
}

/** Why options skip the control, if they do. */
export function controlSkipped({ noControl, replay }: RunOptions): string | undefined {
  if (noControl)
    return 'it was switched off by --no-control: nobody has checked that the agent answers and can use tools'
  return replay === undefined ? undefined : 'a replay calls no model'
}

/**
 * Attacks until all is done or stopped. What the outside world refuses, such as a full disk, is reported: what has been
 * kept stays.
 */
export function attackUntilStopped(io: Io, work: (signal: AbortSignal) => Promise<number>): Promise<number> {
  return io.stoppable((signal) =>
    work(signal).catch((thrown: unknown) => {
      if (!(thrown instanceof ArenaError)) throw thrown
      return giveUp(thrown.message, io)
    }),
  )
}

/** Runs everything; what was not run is reported in the results. */
export async function attackTarget(job: SuiteJob, io: Io): Promise<Redacted<Results>> {
  const { selection, target, plan, folder, redactor, judge, cassettes, lead = '', loudness, signal } = job
  const { attacks, broken } = selection
  const names = new Map(attacks.map(({ file, attack }) => [file, `${lead}${attack.document.attack.name}`]))
  const progress = createProgress(io, attacks.length * plan.trials, loudness, redactor.text)
  const suite = runSuite(attacks, {
    about: target.about,
    broken,
    ...(folder && { folder }),
    redactor,
    signal,
    trials: plan.trials,
    concurrency: plan.concurrency,
    retries: plan.retries,
    budget: plan.budget,
    ...(judge && { judge }),
    ...(job.skipControl && { skipControl: job.skipControl }),
    onControl(control) {
      job.onControl?.(control)
      if (loudness !== 'quiet') tell(io, control === 'started' ? ASKING : controlText(control))
    },
    run: (run) => optionsFor(job, run),
    onEvent({ file, trial }, event) {
      job.onEvent?.({ file, trial }, event)
      progress.event({ file, trial, name: names.get(file) ?? file }, event)
    },
  })
  return finishSuite(suite, (told) => {
    const { file, trial, resumed } = told
    job.onTrial?.(told)
    cassettes?.close(file, trial.trial)
    progress.finished({ file, trial: trial.trial, name: names.get(file) ?? file }, trial, resumed === true)
  }).finally(() => progress.end())
}

const ASKING = 'control: asking the agent something harmless first'

/** The outcome of a control, in one line. */
export function controlText(control: ResultControl): string {
  const { status, asked, reasons, duration_ms = 0, mcp_version } = control
  const why = reasons.length === 0 ? ` in ${(duration_ms / 1000).toFixed(1)} s` : `: ${reasons.join('; ')}`
  const version = mcp_version === undefined ? '' : `, with MCP ${mcp_version}, which it asks for`
  const only = asked === 'answer' && status === 'passed' ? ': it answers; no attack brings tools' : ''
  return `control: ${status}${why}${only}${version}`
}

async function optionsFor(job: SuiteJob, { file, trial, spend, isControl }: SuiteRun): Promise<AttackOptions> {
  const { target, plan, cassettes, allowHosts = [], onAgentEvent } = job
  return {
    ...(await target.make(
      {
        onEvent(event) {
          spendOn(event, spend)
          onAgentEvent?.({ file, trial }, event)
        },
      },
      isControl ? undefined : cassettes?.open(file, trial),
    )),
    allowHosts,
    limits: limitsOf(plan),
  }
}

/** Counts a call of a model. A failed call counts too, although nobody knows its tokens. */
export function spendOn(event: AgentEvent, spend: (usage: CallUsage) => void): void {
  if (event.type === 'model-answered') spend(event.usage)
  if (event.type === 'model-failed') spend({ inputTokens: 0, outputTokens: 0 })
}

/** The bounds of a run that a plan changes. */
export function limitsOf({ runMs, replyMs, observeMs, graceMs }: SuitePlan): Partial<RunLimits> {
  return defined({ runMs, phaseMs: runMs, replyMs, observeMs, graceMs })
}
