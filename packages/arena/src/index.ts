/** Runs OATF attacks over real protocols and judges them fail-closed. */

export { endingOf } from './judge/fail-closed.ts'
export { createJudge, type Judge, type JudgeOptions, judge } from './judge/judge.ts'
export type { Considered, DecidingEntry, JudgedIndicator, Judgement } from './judge/verdict.ts'
export type { ActorOutcome, PhaseVisit } from './model/actor-outcome.ts'
export type { Clock } from './model/clock.ts'
export { type DiagnosticCode, diagnosticTable } from './model/diagnostics.ts'
export { ArenaError, type ArenaErrorCode } from './model/errors.ts'
export { defaultRunLimits, type RunLimits } from './model/limits.ts'
export type { EndReason, RunEvent, RunOptions, TraceSink } from './model/options.ts'
export type { RunDiagnostic } from './model/reports.ts'
export type { AskedApproval, ClientActor, ServerActor, Target, TargetArena, TargetSession } from './model/target.ts'
export type { TraceEntry } from './model/trace-entry.ts'
export type { Connect, Listen } from './model/wiring.ts'
export type { ChangeTest } from './results/change.ts'
export { describeAttack, documentFingerprint, suiteFingerprint, trialOf } from './results/collect.ts'
export { type CompareOptions, type Comparison, compareResults } from './results/compare.ts'
export type { AttackComparison, ChangeStatus, Side } from './results/compare-attack.ts'
export { type ControlledAttack, controls, type Discrimination, discriminationOf } from './results/controls.ts'
export { type Coverage, coverageOf, type TechniqueCoverage } from './results/coverage.ts'
export { loadResults, openTrace, RESULTS_FILE, type StoredResults, saveResults } from './results/folder.ts'
export {
  type AttackResults,
  RESULTS_VERSION,
  type ResultAttack,
  type ResultIndicator,
  type ResultIndicatorVerdict,
  type ResultSuite,
  type Results,
  type ResultTarget,
  type ResultVerdict,
  type Trial,
} from './results/model.ts'
export { attackVerdict, compareVerdicts, resultsWorstFirst } from './results/outcome.ts'
export { type Proportion, passHat, proportionOf } from './results/proportion.ts'
export { readResults } from './results/read.ts'
export { createRedactor, type RedactOptions, type Redactor } from './results/redact.ts'
export { redactEntry, redactingSink, redactResults } from './results/redact-results.ts'
export { redactRun, redactVerdict } from './results/redact-run.ts'
export { resultsSchema } from './results/schema.ts'
export { fisher, mcNemar, type Outcomes } from './results/significance.ts'
export {
  type AttackStatistics,
  errorBudget,
  type SuiteStatistics,
  statisticsOf,
  suiteStatistics,
} from './results/statistics.ts'
export { type Counts, type Summary, type SummaryRow, summaryOf } from './results/summary.ts'
export { taskDocument, taskVerdict } from './results/task.ts'
export type { UtilityComparison, UtilityShare } from './results/utility.ts'
export { writeResults } from './results/write.ts'
export { type AttackRun, runAttack } from './run.ts'
export { openResults, type ResultsFile } from './suite/results-file.ts'
export { type ResultStore, runSuite, type SuiteAttack, type SuiteOptions, type SuiteResult } from './suite/suite.ts'
export { splitCommand } from './targets/command/words.ts'
export { type CommandTargetOptions, commandTarget } from './targets/command.ts'
export { type CommandEndpoint, type Endpoint, type EndpointTargetOptions, endpointTarget } from './targets/endpoint.ts'
export { DEFAULT_PROMPT } from './targets/prompt.ts'
export { readTrace, type TraceWriter, writeTrace } from './trace/file.ts'
export type { TraceEnding, TraceHeader } from './trace/header.ts'
export type { ReadTraceOptions, TraceItem } from './trace/read.ts'
export { createMemoryHttp } from './transport/memory-http.ts'
export { createMemoryPipe } from './transport/memory-pipe.ts'
