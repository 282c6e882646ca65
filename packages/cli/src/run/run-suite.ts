/** A suite from the first run to its results. */
import { join } from 'node:path'
import {
  type AttackResults,
  type AttackRun,
  attackVerdict,
  describeAttack,
  documentFingerprint,
  type ResultStore,
  type Results,
  redactingSink,
  runSuite,
  type SuiteResult,
  suiteFingerprint,
  type TraceWriter,
  type Trial,
  trialOf,
  writeTrace,
} from '@joust/arena'
import type { AsyncEvaluators, Document } from '@joust/oatf'
import { invariant } from '@joust/source'
import type { FileReport } from '../input/file-report.ts'
import { version } from '../terminal/version.ts'
import type { SelectedAttack } from './attacks.ts'
import type { Budget } from './budget.ts'
import type { Cassettes } from './cassette.ts'
import type { ResultsFolder } from './folder.ts'
import { judgedBy, type OpenJudge, withAgreement } from './judge.ts'
import { type KeptRun, keepRun, keptBefore } from './keep-run.ts'
import type { SuitePlan } from './plan.ts'
import type { Progress } from './progress.ts'
import type { Redaction } from './redaction.ts'
import type { TargetPlan } from './target.ts'

/** Everything a suite needs. */
export interface SuiteJob {
  readonly attacks: readonly SelectedAttack[]
  readonly broken: readonly FileReport[]
  readonly target: TargetPlan
  readonly plan: SuitePlan
  readonly folder: ResultsFolder
  readonly redaction: Redaction
  readonly evaluators: AsyncEvaluators
  readonly judge?: OpenJudge | undefined
  readonly cassettes?: Cassettes | undefined
  readonly allowHosts: readonly string[]
  readonly budget: Budget
  readonly progress: Progress
  /** Fires when somebody stops the command, or a budget is used up. */
  readonly signal: AbortSignal
  readonly startedAt: Date
}

/** Runs everything; what was not run is told in the results. */
export async function runAll(job: SuiteJob): Promise<Results> {
  const desk = new Desk(job)
  const suite = runSuite(job.attacks, {
    concurrency: job.plan.concurrency,
    trials: job.plan.trials,
    signal: job.signal,
    results: desk,
    options: ({ file }, trial) => optionsFor(job, file, trial, desk),
  })
  for await (const result of suite) await desk.file(result)
  job.progress.end()
  const attacks = job.attacks.map((attack) => attackResults(attack, desk.trialsOf(attack.file), job))
  return resultsOf(job, [...attacks, ...job.broken.map(brokenResults)])
}

/** Where runs are filed: redacted before anything is kept, and without the trace, which has a file of its own. */
class Desk implements ResultStore {
  readonly #job: SuiteJob
  readonly #attacks: ReadonlyMap<string, SelectedAttack>
  readonly #writers = new Map<string, TraceWriter>()
  readonly #kept = new Map<string, KeptRun>()
  readonly #trials = new Map<string, Trial[]>()

  constructor(job: SuiteJob) {
    this.#job = job
    this.#attacks = new Map(job.attacks.map((attack) => [attack.file, attack]))
  }

  nameOf(file: string): string {
    return this.#attacks.get(file)?.document.attack.name ?? file
  }

  trialsOf(file: string): readonly Trial[] {
    return this.#trials.get(file) ?? []
  }

  /** Begins the trace of a run. */
  openTrace(file: string, trial: number): TraceWriter {
    const { folder } = this.#job
    const writer = writeTrace(join(folder.path, folder.traceOf(file, trial)))
    this.#writers.set(keyOf(file, trial), writer)
    return writer
  }

  /** What had no verdict is run again. */
  get(key: string): AttackRun | undefined {
    const run = this.#job.folder.journal.get(key)
    return run?.verdict.result === 'error' ? undefined : run
  }

  async add(key: string, run: AttackRun): Promise<void> {
    // The suite's own key: the file, the trial, and the version of the document.
    const [file, trial] = JSON.parse(key) as [string, number, string]
    await this.#job.folder.journal.add(key, await this.#keep(file, trial, run))
  }

  /** Takes a result into the trials of its attack. */
  async file({ file, trial, run, resumed }: SuiteResult): Promise<void> {
    const { folder, progress, cassettes } = this.#job
    const key = keyOf(file, trial)
    const trace = folder.traceOf(file, trial)
    const kept = resumed === true ? await this.#before(file, run, trace) : await this.#keep(file, trial, run)
    cassettes?.close(file, trial)
    progress.finished(key, this.nameOf(file), kept, resumed === true)
    const { task } = kept
    const filed = { ...trialOf({ file, trial, run: kept }, trace), ...(task === undefined ? {} : { task }) }
    this.#trials.set(file, [...this.trialsOf(file), filed])
  }

  async #keep(file: string, trial: number, run: AttackRun): Promise<KeptRun> {
    const key = keyOf(file, trial)
    const known = this.#kept.get(key)
    if (known !== undefined) return known
    const kept = await keepRun(run, this.#documentOf(file), this.#writers.get(key), this.#job)
    this.#writers.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  #before(file: string, run: AttackRun, trace: string): Promise<KeptRun> {
    return keptBefore(run, this.#documentOf(file), trace, this.#job)
  }

  #documentOf(file: string): Document {
    const attack = this.#attacks.get(file)
    invariant(attack !== undefined, 'only attacks of the suite have results')
    return attack.document
  }
}

async function optionsFor(job: SuiteJob, file: string, trial: number, desk: Desk) {
  const { plan, redaction, progress, budget, evaluators, allowHosts } = job
  const key = keyOf(file, trial)
  const writer = desk.openTrace(file, trial)
  progress.started(key, desk.nameOf(file))
  return {
    ...(await job.target.make({ onEvent: budget.onEvent }, job.cassettes?.open(file, trial))),
    evaluators,
    allowHosts,
    limits: {
      ...(plan.runMs === undefined ? {} : { runMs: plan.runMs, phaseMs: plan.runMs }),
      ...(plan.observeMs === undefined ? {} : { observeMs: plan.observeMs }),
      ...(plan.graceMs === undefined ? {} : { graceMs: plan.graceMs }),
    },
    trace: redactingSink(writer, redaction.traces),
    onEvent: (event: Parameters<Progress['event']>[1]) => progress.event(key, event),
  }
}

function attackResults(
  { file, text, document }: SelectedAttack,
  trials: readonly Trial[],
  { judge }: SuiteJob,
): AttackResults {
  const sorted = [...trials].sort((a, b) => a.trial - b.trial)
  return {
    file,
    fingerprint: documentFingerprint(document),
    attack: withAgreement(describeAttack(document, text), judge?.agreement.get(file)),
    verdict: attackVerdict(sorted, document.attack.id),
    trials: sorted,
  }
}

/** A document that cannot be run says nothing about the agent, and the results say so. */
function brokenResults({ name, diagnostics }: FileReport): AttackResults {
  const faults = diagnostics.filter(({ severity }) => severity === 'error')
  return {
    file: name,
    fingerprint: '',
    attack: { name, protocols: [], indicators: [] },
    verdict: { ...attackVerdict([]), diagnostics: faults },
    trials: [],
  }
}

function resultsOf(
  { attacks, target, judge, plan, startedAt, budget, signal }: SuiteJob,
  results: readonly AttackResults[],
): Results {
  const exceeded = budget.exceeded()
  const stopped =
    exceeded !== undefined
      ? { stopped: { reason: 'budget' as const, message: exceeded } }
      : signal.aborted
        ? { stopped: { reason: 'interrupted' as const, message: 'the run was interrupted' } }
        : {}
  return {
    version: 1,
    joust: version(),
    started_at: startedAt.toISOString(),
    finished_at: new Date().toISOString(),
    target: judgedBy(target.about, judge),
    suite: { trials: plan.trials, fingerprint: suiteFingerprint(attacks.map(({ document }) => document)) },
    ...stopped,
    attacks: results,
  }
}

function keyOf(file: string, trial: number): string {
  return JSON.stringify([file, trial])
}
