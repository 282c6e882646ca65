/** Results and traces of attack runs: data model, formats, statistics and redaction. Imports have no side effects. */

export { type BaitCall, type CallPart, createBaitCall } from './describe/bait-call.ts'
export { controlFacts, controlNotes, resistedText, stopperOf } from './describe/controls.ts'
export { describeAttack, mutationsOf, suiteFingerprint } from './describe/describe-attack.ts'
export { type Decisive, decisiveMatch, exposureText, indicatorOf, wayOf } from './describe/evidence.ts'
export { type FlowMatrix, flowMatrix, flowText } from './describe/flows.ts'
export { channelName, preflightSummary } from './describe/preflight.ts'
export { sumThrough, throughDecision, throughSummary } from './describe/through.ts'
export { costIn, dollarText, usageText } from './describe/usage.ts'
export { checkTrial, readResults, resultsParts, resultsSchema, writeResults } from './format/read.ts'
export { preflightShape, type ResultsWith } from './format/shapes.ts'
export { type Framework, type FrameworkRow, isTechnique, techniqueKey } from './frameworks/framework.ts'
export { frameworkName, frameworks } from './frameworks/table.ts'
export { amongEarlier, gatherResults, joinResults, type ResultsPart, withSearch, withStop, withTrace } from './join.ts'
export type { ActorOutcome, PhaseVisit } from './model/actor-outcome.ts'
export { type AivssFactor, type AivssProfile, aivssFactors, aivssMitigations, type FactorLevel } from './model/aivss.ts'
export {
  type Channel,
  type ChannelState,
  type Controls,
  channels,
  type KnownFacts,
  type LifeSign,
  lifeSigns,
  type MainCalls,
  type PlaceboControl,
  type Proof,
  proofs,
  type StoppedBy,
  stoppers,
} from './model/controls.ts'
export {
  createReports,
  type DiagnosticCode,
  diagnostic,
  diagnosticTable,
  type Reports,
  type RunDiagnostic,
  revocationOf,
} from './model/diagnostics.ts'
export type { Flow, FlowEncoding, FlowKind } from './model/flow.ts'
export { resultsLimits } from './model/limits.ts'
export type { ModelEntry, ModelMessage, ModelTool } from './model/model-entry.ts'
export { type Assessment, type Exposure, type Outcome, outcomes } from './model/outcome.ts'
export {
  attackAssessment,
  compareListed,
  compareOutcomes,
  compareShown,
  isJudged,
  isSuspicious,
  outcomeMatches,
  outcomeVerdicts,
  type Ranked,
  verdictOutcomes,
  worstOf,
} from './model/outcome-order.ts'
export type { Redacted } from './model/redacted.ts'
export {
  type Answer,
  type AttackResults,
  type HardenedAttack,
  type Memory,
  type ModelCost,
  type PreflightQuestion,
  type PreflightStep,
  type Price,
  RESULTS_VERSION,
  type ResultAttack,
  type ResultDecision,
  type ResultHardening,
  type ResultIndicator,
  type ResultIndicatorVerdict,
  type ResultPreflight,
  type ResultRestraint,
  type ResultSearch,
  type ResultSuite,
  type Results,
  type ResultTarget,
  type ResultVerdict,
  type TargetResults,
  type ToolListing,
  type Trial,
  type UtilityShare,
} from './model/results.ts'
export type { EndReason, ModelFacts, NotRun, ReadFact, Refusal, RunFacts } from './model/run-facts.ts'
export { type ThroughCall, throughReads } from './model/through.ts'
export type { Held, TraceEntry, TraceSink } from './model/trace-entry.ts'
export { namingFile, provenByTrials, UNPROVEN } from './model/unproven.ts'
export {
  type Considered,
  type DecidingEntry,
  decidingEntry,
  type FilterStep,
  type JudgedIndicator,
  type Judgement,
  type SeenMessages,
} from './model/verdict.ts'
export { messagesOf, productionEntries, type SpanMessage, type SpanMessages } from './otel/messages.ts'
export { type Span, spansIn } from './otel/spans.ts'
export {
  type RedactingSink,
  redactEnding,
  redactEntry,
  redactingSink,
  redactMore,
  redactPreflight,
  redactResults,
  redactTrial,
  withHardening,
} from './redaction/redact.ts'
export { redactBody } from './redaction/redact-body.ts'
export { redactModelEntry } from './redaction/redact-model.ts'
export { createRedactor, knownShapes, type RedactOptions, type Redactor } from './redaction/redactor.ts'
export { hideSplitSecrets, type SplitHider, type SplitOptions } from './redaction/split-secrets.ts'
export { type AdaptiveAttack, type AdaptiveSummary, adaptiveSummary } from './statistics/adaptive.ts'
export { type AivssFinding, type AivssScores, aivssScores, type Bounds } from './statistics/aivss.ts'
export type { ChangeTest } from './statistics/change.ts'
export { type CompareOptions, type Comparison, compareResults } from './statistics/compare.ts'
export { type AttackComparison, type ChangeStatus, changeStatuses, type Side } from './statistics/compare-attack.ts'
export { type Coverage, coverageOf, type TechniqueCoverage } from './statistics/coverage.ts'
export { type AttackRuns, decideAttack } from './statistics/decide-attack.ts'
export { questionOf, tallyOf, trialsToDecide } from './statistics/decision.ts'
export {
  type AttackDiscrimination,
  type Discrimination,
  discriminationOf,
  simulatedAgents,
} from './statistics/discrimination.ts'
export { type Gate, outcomeCode, outcomeCodes, suiteCode, verdictCode, worstCode } from './statistics/exit-code.ts'
export {
  type AvailableAttack,
  type FrameworkCoverage,
  frameworkCoverage,
  type TechniqueState,
  type TriedTechnique,
  techniqueStates,
} from './statistics/framework-coverage.ts'
export {
  type AttackStatistics,
  type SuiteStatistics,
  statisticsOf,
  suiteStatistics,
  utilityOf,
} from './statistics/statistics.ts'
export {
  attackIn,
  type Counts,
  costOf,
  runsOf,
  type Summary,
  type SummaryRow,
  stoppersOf,
  summaryOf,
  trialsOf,
  usageOf,
  withCosts,
} from './statistics/summary.ts'
export { taskDone, type UtilityComparison } from './statistics/utility.ts'
export { type Proportion, proportionOf } from './statistics/wilson.ts'
export {
  endLine,
  TRACE_MARK,
  type TraceEnding,
  type TraceHeader,
  type TraceWriter,
  versionLine,
} from './trace/lines.ts'
export type { ReadTraceOptions, TraceItem } from './trace/read.ts'
