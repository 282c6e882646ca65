/** Runs OATF attacks over real protocols and judges them fail-closed. */

export type { Clock } from '@joust/io'
export { type Assessed, type Assessor, createAssessor } from './judge/assess.ts'
export { type FilterStep, judgeEachMessage, type SeenMessages } from './judge/each-message.ts'
export { createJudge, type Judge, type JudgeOptions, judge, judgeTask } from './judge/judge.ts'
export {
  type Decision,
  type OutcomeFacts,
  outcomeOf,
  type StoppedBy,
  unknownFacts,
} from './judge/outcome.ts'
export { type Means, shortfallsOf, skippedIndicators } from './judge/shortfalls.ts'
export type { Considered, DecidingEntry, JudgedIndicator, Judgement } from './judge/verdict.ts'
export type { ActorOutcome, PhaseVisit } from './model/actor-outcome.ts'
export type { RunDiagnostic } from './model/diagnostics.ts'
export { type DiagnosticCode, diagnosticTable } from './model/diagnostics.ts'
export { ArenaError, type ArenaErrorCode } from './model/errors.ts'
export { createFileNames } from './model/file-names.ts'
export { arenaLimits, defaultRunLimits, type RunLimits } from './model/limits.ts'
export type { Need, NeedName } from './model/needs/need.ts'
export { type Abilities, type ActorNeeds, type AttackNeeds, lackingOf, needsOf } from './model/needs.ts'
export type { AttackOptions, CallUsage, EndReason, RunEvent, TraceSink } from './model/options.ts'
export { type Assessment, type Exposure, type Outcome, outcomes } from './model/outcome.ts'
export type { Redacted } from './model/redacted.ts'
export type {
  AskedApproval,
  ClientActor,
  Refusal,
  ServerActor,
  Target,
  TargetArena,
  TargetSession,
} from './model/target.ts'
export type { TraceEntry } from './model/trace-entry.ts'
export type { Connect, Listen } from './model/wiring.ts'
export { type AdaptiveAttack, type AdaptiveSummary, adaptiveSummary } from './results/adaptive.ts'
export type { ChangeTest } from './results/change.ts'
export { type CompareOptions, type Comparison, compareResults } from './results/compare.ts'
export { type AttackComparison, type ChangeStatus, changeStatuses, type Side } from './results/compare-attack.ts'
export { type Coverage, coverageOf, type TechniqueCoverage } from './results/coverage.ts'
export { describeAttack, suiteFingerprint } from './results/describe-attack.ts'
export {
  type AttackDiscrimination,
  type Discrimination,
  discriminationOf,
  simulatedAgents,
} from './results/discrimination.ts'
export {
  type Decisive,
  decisiveMatch,
  exposureText,
  indicatorOf,
  wayOf,
} from './results/evidence.ts'
export { type Gate, outcomeCode, outcomeCodes, suiteCode, verdictCode, worstCode } from './results/exit-code.ts'
export {
  loadResults,
  openTrace,
  RESULTS_FILE,
  RESULTS_HOME,
  RESULTS_MARK,
  type StoredResults,
  saveResults,
  writtenEntries,
} from './results/folder.ts'
export { amongEarlier, joinResults, type ResultsPart, withTrace } from './results/join.ts'
export {
  type AttackResults,
  type HardenedAttack,
  type ModelCost,
  RESULTS_VERSION,
  type ResultAttack,
  type ResultControl,
  type ResultHardening,
  type ResultIndicator,
  type ResultIndicatorVerdict,
  type ResultRestraint,
  type ResultSearch,
  type ResultSuite,
  type Results,
  type ResultTarget,
  type ResultVerdict,
  type TargetResults,
  type Trial,
  type UtilityShare,
} from './results/model.ts'
export {
  compareOutcomes,
  compareShown,
  isJudged,
  isSuspicious,
  outcomeMatches,
  outcomeVerdicts,
  type Ranked,
  verdictOutcomes,
  worstOf,
} from './results/outcome-order.ts'
export { readResults, resultsSchema, trialFault, writeResults } from './results/read.ts'
export {
  type RedactingSink,
  redactControl,
  redactEnding,
  redactEntry,
  redactingSink,
  redactMore,
  redactResults,
} from './results/redact.ts'
export { createRedactor, knownShapes, type RedactOptions, type Redactor } from './results/redactor.ts'
export { hideSplitSecrets, type SplitHider, type SplitOptions } from './results/split-secrets.ts'
export {
  type AttackStatistics,
  type SuiteStatistics,
  statisticsOf,
  suiteStatistics,
} from './results/statistics.ts'
export { type Counts, type Summary, type SummaryRow, summaryOf, usageOf } from './results/summary.ts'
export type { UtilityComparison } from './results/utility.ts'
export { type Proportion, proportionOf } from './results/wilson.ts'
export { type AttackRun, runAttack } from './run.ts'
export type {
  Attacker,
  AttackerCall,
  AttackerQuestion,
  Attempt,
  Candidate,
  Proposal,
  SearchBatch,
  SearchOptions,
  Tried,
} from './search/options.ts'
export { type Found, type SearchResult, searchBait } from './search/search.ts'
export type { BudgetLimits, Cost, RunWithin } from './suite/budget.ts'
export { runControl } from './suite/control.ts'
export type { FinishedTrials } from './suite/finished-trials.ts'
export { type FolderUse, openSuiteFolder, type SuiteFolder, type SuiteFolderError } from './suite/folder.ts'
export {
  createLedger,
  keyText,
  type Ledger,
  type LedgerEntry,
  type LedgerProgress,
  noOutcomes,
  plannedRuns,
  type RunKey,
  type RunTrace,
} from './suite/ledger.ts'
export {
  type Agreements,
  type BrokenAttack,
  repeatedName,
  type SuiteAttack,
  type SuiteJudge,
  type SuiteOptions,
  type SuiteRun,
  type SuiteTrial,
} from './suite/options.ts'
export { performRun, type RunJob, runOptionsOf } from './suite/perform.ts'
export { createPool, type Perform, type Queue, type TakeOptions } from './suite/queue.ts'
export { lostTrial, suiteResults } from './suite/results.ts'
export { finishSuite, runSuite } from './suite/suite.ts'
export type { PermissionRule } from './targets/acp/permissions.ts'
export { placeholderFault } from './targets/command/placeholders.ts'
export { placeWords, splitCommand } from './targets/command/split-command.ts'
export { installedVersion, isTried } from './targets/command/version.ts'
export { type CommandTargetOptions, commandTarget } from './targets/command.ts'
export { type CommandEndpoint, type Endpoint, type EndpointTargetOptions, endpointTarget } from './targets/endpoint.ts'
export { type FrontDoorOptions, frontDoorAbilities, openFrontDoor } from './targets/front-door/front-door.ts'
export type { Answer, Conversation, OpenConversation, Turn } from './targets/front-door/reception.ts'
export type { InRequest, Pasteable } from './targets/front-door/request.ts'
export {
  type AgentFunction,
  checkFunction,
  type FunctionTargetOptions,
  type FunctionTurn,
  functionTarget,
} from './targets/function.ts'
export type { GatewaySeat, SlotKind, Slots } from './targets/gateway/seat.ts'
export { createGateway, type Gateway, type GatewayOptions, slotsFor } from './targets/gateway.ts'
export type { HttpTargetOptions } from './targets/http/request.ts'
export { httpTarget } from './targets/http.ts'
export { type Preset, type PresetFile, presetShape, readPreset } from './targets/presets/preset.ts'
export { findPreset, presets } from './targets/presets/table.ts'
export { simulatedServer } from './targets/simulated-server.ts'
export { type MemoryTrace, memoryTrace, readTrace, type TraceWriter, writeTrace } from './trace/file.ts'
export { TRACE_MARK, type TraceEnding, type TraceHeader } from './trace/lines.ts'
export type { ReadTraceOptions, TraceItem } from './trace/read.ts'
export { createMemoryHttp } from './transport/memory-http.ts'
export { createMemoryPipe } from './transport/memory-pipe.ts'
