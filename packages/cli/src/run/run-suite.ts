/** A suite from the first run to its results. */
import { join } from 'node:path'
import {
  type AttackResults,
  type AttackRun,
  attackVerdict,
  describeAttack,
  documentFingerprint,
  endingOf,
  type ResultStore,
  type Results,
  readTrace,
  redactingSink,
  runSuite,
  type SuiteResult,
  suiteFingerprint,
  type TraceWriter,
  type Trial,
  taskVerdict,
  trialOf,
  writeTrace,
} from '@joust/arena'
import type { AsyncEvaluators, Document } from '@joust/oatf'
import type { Value } from '@joust/source'
import type { FileReport } from '../file-report.ts'
import { version } from '../version.ts'
import type { SelectedAttack } from './attacks.ts'
import type { Budget } from './budget.ts'
import type { Cassettes } from './cassette.ts'
import type { ResultsFolder } from './folder.ts'
import { judgedBy, type OpenJudge, withAgreement } from './judge.ts'
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
  const traces = new Map<string, TraceWriter>()
  const trials = new Map<string, Trial[]>()
  const texts = new Map(job.attacks.map((attack) => [attack.file, attack]))
  const names = new Map(job.attacks.map(({ file, document }) => [file, document.attack.name ?? file]))
  const suite = runSuite(job.attacks, {
    concurrency: job.plan.concurrency,
    trials: job.plan.trials,
    signal: job.signal,
    results: storeOf(job),
    options: ({ file }, trial) => optionsFor(job, file, trial, traces, names.get(file) ?? file),
  })
  for await (const result of suite) {
    const key = keyOf(result.file, result.trial)
    const document = texts.get(result.file)?.document
    const task = document === undefined ? undefined : await taskOf(document, result, job)
    const run = await settled(result, traces.get(key), job)
    traces.delete(key)
    job.cassettes?.close(result.file, result.trial)
    job.progress.finished(key, names.get(result.file) ?? result.file, run, result.resumed === true)
    const list = trials.get(result.file) ?? []
    const trial = trialOf({ ...result, run }, job.folder.traceOf(result.file, result.trial))
    list.push(task === undefined ? trial : { ...trial, task })
    trials.set(result.file, list)
  }
  job.progress.end()
  const attacks = [...texts.values()].map((attack) => attackResults(attack, trials.get(attack.file) ?? [], job))
  return resultsOf(job, [...attacks, ...job.broken.map(brokenResults)])
}

/** Redacted before anything is kept, and without the trace, which has a file of its own. */
function storeOf(job: SuiteJob): ResultStore {
  return {
    get: (key) => job.folder.journal.get(key),
    add: (key, run) => job.folder.journal.add(key, kept(run, job)),
  }
}

/** Plain data stays plain data. */
function kept(run: AttackRun, { redaction }: SuiteJob): AttackRun {
  return redaction.results.value({ ...run, trace: [] } as unknown as Value) as unknown as AttackRun
}

async function optionsFor(job: SuiteJob, file: string, trial: number, traces: Map<string, TraceWriter>, name: string) {
  const { plan, folder, redaction, progress, budget, evaluators, allowHosts } = job
  const key = keyOf(file, trial)
  const writer = writeTrace(join(folder.path, folder.traceOf(file, trial)))
  traces.set(key, writer)
  progress.started(key, name)
  return {
    ...(await job.target.make({ onEvent: budget.onEvent }, job.cassettes?.open(file, trial))),
    evaluators,
    allowHosts,
    limits: {
      ...(plan.runMs === undefined ? {} : { runMs: plan.runMs, phaseMs: plan.runMs }),
      ...(plan.graceMs === undefined ? {} : { graceMs: plan.graceMs }),
    },
    trace: redactingSink(writer, redaction.traces),
    onEvent: (event: Parameters<Progress['event']>[1]) => progress.event(key, event),
  }
}

/** Whether the agent did the user's work meanwhile; the trace of an earlier run is in its file. */
function taskOf(document: Document, { run, file, trial, resumed }: SuiteResult, { folder, evaluators }: SuiteJob) {
  const trace = resumed === true ? readTrace(join(folder.path, folder.traceOf(file, trial))) : run.trace
  return taskVerdict(document, trace, evaluators)
}

/** The run as it is kept: redacted, its trace on disk. */
async function settled({ run }: SuiteResult, writer: TraceWriter | undefined, job: SuiteJob): Promise<AttackRun> {
  // A fault of the writer is in the diagnostics of the run already.
  await writer?.close(endingOf(run)).catch(() => {})
  return kept(run, job)
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
  const reason = diagnostics.find(({ severity }) => severity === 'error')?.message ?? 'the document is not valid'
  return {
    file: name,
    fingerprint: '',
    attack: { name, protocols: [], indicators: [] },
    verdict: { ...attackVerdict([]), diagnostics: [{ severity: 'error', code: 'invalid', message: reason }] },
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
