/** The OATF 0.1 SDK. Pure and synchronous; runs in any JavaScript environment. */

export {
  type Diagnostic,
  type DiagnosticSeverity,
  InvalidInput,
  type Limits,
  NotATree,
  type Result,
  unwrap,
  type Value,
} from '@joust/source'
export { type CelOptions, createCelEvaluator } from './adapters/cel.ts'
export { PUSH_SURFACE } from './bindings/a2a.ts'
export { APP_TYPE, APPS_EXTENSION, appOfTool, MCP_APP } from './bindings/apps.ts'
export { ADDRESS, type BindingMode, type Role, roleOf } from './bindings/binding.ts'
export { HEADERS, headerFault, STATUS, statusOf } from './bindings/http-parts.ts'
export { DEFAULT_MCP_VERSION } from './bindings/mcp.ts'
export { blocksOf, OVERLAY, type Overlay, overlayOf } from './bindings/overlay.ts'
export { findMode, knownModes, knownProtocols } from './bindings/table.ts'
export { fileFaults, filesIn, needsFolder, WORKSPACE, type WorkspaceFile } from './bindings/workspace.ts'
export { type Canaries, freshCanaries, withCanaries } from './canaries.ts'
export { applyEdits, type Edit } from './dialects/edits.ts'
export {
  isReplacement,
  isTranslation,
  type Translated,
  type TranslateOptions,
  translateDialects,
} from './dialects/translate.ts'
export { contentRoot, indicatorPaths } from './evaluate/content-root.ts'
export { evaluateExpression } from './evaluate/expression.ts'
export { compileIndicator, evaluateIndicator, evaluateIndicatorAsync } from './evaluate/indicator.ts'
export { evaluatePattern } from './evaluate/pattern.ts'
export { DEFAULT_THRESHOLD } from './evaluate/semantic.ts'
export { computeVerdict } from './evaluate/verdict.ts'
export { evaluateAttack } from './evaluate-attack.ts'
export type { Bait, Plants } from './exposure/bait.ts'
export { type Carrier, carriersIn } from './exposure/carriers.ts'
export { type ExposureWatch, isListing, watchExposure } from './exposure/exposure.ts'
export type { Planted, PlantKind } from './exposure/planted.ts'
export { type LintOptions, lint } from './lint.ts'
export { load } from './load.ts'
export type { LoadedAttack, LoadOptions } from './loaded-attack.ts'
export { cvssOf } from './model/cvss.ts'
export type {
  Action,
  Actor,
  Attack,
  Classification,
  Condition,
  Correlation,
  Document,
  Execution,
  ExpressionMatch,
  Extensions,
  Extractor,
  FrameworkMapping,
  Indicator,
  LogAction,
  MatchCondition,
  MatchPredicate,
  PatternMatch,
  Phase,
  ProtocolEvent,
  Reference,
  ResponseEntry,
  SemanticExamples,
  SemanticMatch,
  SendAction,
  Severity,
  SynthesizeBlock,
  Trigger,
  TriggerState,
} from './model/document.ts'
export {
  type AdvanceReason,
  type AttackResult,
  attackResults,
  type Category,
  type CorrelationLogic,
  categories,
  correlationLogics,
  type Direction,
  directions,
  type ElicitationAction,
  type ElicitationMode,
  type EvaluationErrorKind,
  type ExtractorSource,
  type ExtractorType,
  elicitationActions,
  elicitationModes,
  extractorSources,
  extractorTypes,
  type Framework,
  frameworks,
  type GenerationErrorKind,
  type Impact,
  type IndicatorMethod,
  type IndicatorResult,
  impacts,
  indicatorMethods,
  indicatorResults,
  type KnownMode,
  type LogLevel,
  logLevels,
  type Mode,
  type ParseErrorKind,
  type Protocol,
  type Relationship,
  relationships,
  type SemanticIntentClass,
  type SeverityLevel,
  type Status,
  type Surface,
  semanticIntentClasses,
  severityLevels,
  severityRank,
  statuses,
  type Tier,
  tiers,
} from './model/enumerations.ts'
export type {
  EvaluationError,
  GenerationError,
  OatfError,
  ParseError,
  ValidationError,
  ValidationResult,
} from './model/errors.ts'
export type {
  AsyncEvaluators,
  AsyncSemanticEvaluator,
  CelContext,
  CelEvaluator,
  CelProgram,
  Evaluators,
  GenerationProvider,
  PrimitiveOptions,
  SemanticEvaluator,
} from './model/evaluators.ts'
export { type FlowPattern, flowPatternOf } from './model/flow-pattern.ts'
export { MUTATIONS, PARENT } from './model/lineage.ts'
export type { NormalAttack, NormalDocument, NormalIndicator } from './model/normal.ts'
export { remediationOf } from './model/remediation.ts'
export type { TraceMessage } from './model/trace-message.ts'
export type { AttackVerdict, EvaluationSummary, IndicatorVerdict, Match } from './model/verdict.ts'
export {
  type BaitWording,
  baitOf,
  type MutationRow,
  mutate,
  mutations,
  rebait,
  replacePlacebo,
} from './mutate.ts'
export { normalize } from './normalize.ts'
export { type ParseOptions, parse } from './parse.ts'
export { isPlaceboDerived, placeboOf } from './placebo.ts'
export { computeEffectiveState } from './primitives/compute-effective-state.ts'
export { evaluateCondition } from './primitives/evaluate-condition.ts'
export { evaluateExtractor } from './primitives/evaluate-extractor.ts'
export { evaluatePredicate } from './primitives/evaluate-predicate.ts'
export { evaluateTrigger, type TriggerResult } from './primitives/evaluate-trigger.ts'
export { extractProtocol } from './primitives/extract-protocol.ts'
export { type ExtractorValues, interpolateTemplate } from './primitives/interpolate-template.ts'
export { interpolateValue } from './primitives/interpolate-value.ts'
export { parseDuration } from './primitives/parse-duration.ts'
export { resolveSimplePath } from './primitives/resolve-simple-path.ts'
export { resolveWildcardPath } from './primitives/resolve-wildcard-path.ts'
export { selectResponse } from './primitives/select-response.ts'
export { requireLoaded } from './require-loaded.ts'
export { documentSchema } from './schema.ts'
export { serialize } from './serialize.ts'
export { type SynthesisRequest, synthesisRequests, synthesize, withSynthesized } from './synthesize.ts'
export { type ValidateOptions, validate } from './validate.ts'
