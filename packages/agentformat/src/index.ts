/** The Agent Format 1.0 SDK: parses, checks and loads graphs of agents. Pure: files are read by the caller. */

export {
  type Diagnostic,
  type DiagnosticSeverity,
  InvalidInput,
  type Limits,
  type Result,
  unwrap,
  type Value,
} from '@joust/source'
export {
  type ConditionOutcome,
  type ConditionTest,
  compileCondition,
  type Lookup,
  matchCondition,
  type Unevaluable,
} from './conditions/match-condition.ts'
export { type AgentGraph, type GraphEdge, type GraphNode, type GraphNodeKind, graph } from './graph.ts'
export { type LoadAgentOptions, type LoadedAgent, loadAgent } from './load-agent.ts'
export { type Agent, agentPaths, type SourceReader, type SourceRef } from './model/agent.ts'
export type {
  Approval,
  ApprovalConfig,
  ConditionGroup,
  Conditions,
  Literal,
  Matcher,
  Operators,
} from './model/condition.ts'
export {
  type AgentCode,
  type AgentDiagnostic,
  type AgentPhase,
  agentCodeSummaries,
  agentCodes,
} from './model/diagnostic.ts'
export type {
  ActionSpace,
  AgentDocument,
  Budget,
  Constraints,
  GovernancePolicyRef,
  Interface,
  InterfaceSchema,
  JsonSchema,
  LocalAgent,
  LocalTool,
  McpServer,
  McpToolRef,
  Memory,
  MemoryScopeStrategy,
  Metadata,
  RemoteAgent,
  RootType,
  RunLimits,
  SkillRef,
} from './model/document.ts'
export { type FileLocation, locate, originOf } from './model/origin.ts'
export {
  type BatchConfig,
  type ConditionalConfig,
  type ConditionalRoute,
  type ExecutionPolicy,
  type InputMapping,
  isStandardPolicyId,
  type LoopConfig,
  type OutputFrom,
  type OutputFromObject,
  type OutputStrategy,
  outputStrategies,
  type ParallelConfig,
  type PolicyConfigs,
  type PolicyStep,
  type ReactConfig,
  type SequentialConfig,
  type StandardPolicy,
  type StandardPolicyId,
  standardPolicy,
  standardPolicyIds,
} from './model/policy.ts'
export { type CheckedAgent, checkAgent, type ParseOptions, parseAgent } from './parse-agent.ts'
export { declaredFields, declaresPath } from './paths/declares-path.ts'
export {
  type MappingCode,
  type MappingFault,
  type MappingSource,
  mapInput,
  resolveExpression,
  type SourceFault,
  type SourceLookup,
  type SourceOutcome,
} from './paths/map-input.ts'
export { type BatchInputs, mapItems } from './paths/map-items.ts'
export { type PathDirection, type PathExpression, parsePathExpression } from './paths/path-expression.ts'
export { type PathError, type PathOutcome, resolvePath } from './paths/resolve-path.ts'
export { type TemplatePart, templateParts } from './paths/template.ts'
export { type BatchShape, batchShape } from './policies/batch-shape.ts'
export {
  type Delegation,
  type OutputSelection,
  type PlannedCondition,
  type PlanOrder,
  type PolicyPlan,
  selectOutput,
} from './policies/plan.ts'
export { planOf } from './policies/table.ts'
export { renderMermaid, renderTree } from './render.ts'
export { compileSchema, type ValueValidator, validateValue } from './schema/check-schema.ts'
export { documentSchema } from './schema/document/document-schema.ts'
export type { SchemaProblem } from './schema/problem.ts'
