/** The enumerations of [OATF SDK §2.20](https://oatf.io/sdk/core-types/), each as a table of values and a type. */

export const severityLevels = ['informational', 'low', 'medium', 'high', 'critical'] as const
export type SeverityLevel = (typeof severityLevels)[number]

/** Returns the rank of a severity level, from 0; -1 for undefined or unknown levels. */
export function severityRank(level: string | undefined): number {
  const levels: readonly (string | undefined)[] = severityLevels
  return levels.indexOf(level)
}

export const impacts = [
  'behavior_manipulation',
  'data_exfiltration',
  'data_tampering',
  'unauthorized_actions',
  'information_disclosure',
  'credential_theft',
  'service_disruption',
  'privilege_escalation',
] as const
export type Impact = (typeof impacts)[number]

export const categories = [
  'capability_poisoning',
  'response_fabrication',
  'context_manipulation',
  'oversight_bypass',
  'temporal_manipulation',
  'availability_disruption',
  'cross_protocol_chain',
] as const
export type Category = (typeof categories)[number]

export const statuses = ['draft', 'experimental', 'stable', 'deprecated'] as const
export type Status = (typeof statuses)[number]

export const correlationLogics = ['any', 'all'] as const
export type CorrelationLogic = (typeof correlationLogics)[number]

export const extractorSources = ['request', 'response'] as const
export type ExtractorSource = (typeof extractorSources)[number]

export const extractorTypes = ['json_path', 'regex'] as const
export type ExtractorType = (typeof extractorTypes)[number]

export const semanticIntentClasses = [
  'prompt_injection',
  'data_exfiltration',
  'privilege_escalation',
  'social_engineering',
  'instruction_override',
] as const
export type SemanticIntentClass = (typeof semanticIntentClasses)[number]

export const relationships = ['primary', 'related'] as const
export type Relationship = (typeof relationships)[number]

export const logLevels = ['info', 'warn', 'error'] as const
export type LogLevel = (typeof logLevels)[number]

export const elicitationModes = ['form', 'url'] as const
export type ElicitationMode = (typeof elicitationModes)[number]

export const elicitationActions = ['accept', 'decline', 'cancel'] as const
export type ElicitationAction = (typeof elicitationActions)[number]

export const directions = ['request', 'response'] as const
export type Direction = (typeof directions)[number]

export const indicatorMethods = ['pattern', 'expression', 'semantic'] as const
export type IndicatorMethod = (typeof indicatorMethods)[number]

/** The stage of an attack that a matched indicator shows, from first to last. */
export const tiers = ['ingested', 'local_action', 'boundary_breach'] as const
export type Tier = (typeof tiers)[number]

/** The frameworks listed in version 0.1. Any other string is also accepted. */
export const frameworks = ['atlas', 'mitre_attack', 'owasp_llm', 'owasp_mcp', 'owasp_agentic', 'cwe', 'other'] as const
export type Framework = (typeof frameworks)[number] | (string & {})

/** An open enumeration. Values must match `[a-z][a-z0-9_]*`. */
export type Protocol = 'mcp' | 'a2a' | 'ag_ui' | (string & {})

/** The modes of the bindings in version 0.1. A table keyed by this type must cover every mode. */
export type KnownMode = 'mcp_server' | 'mcp_client' | 'a2a_server' | 'a2a_client' | 'ag_ui_client'

/** An open enumeration. Values must match `[a-z][a-z0-9_]*_(server|client)`. */
export type Mode = KnownMode | (string & {})

/** An open enumeration of protocol operations. */
export type Surface = string

export const indicatorResults = ['matched', 'not_matched', 'error', 'skipped'] as const
export type IndicatorResult = (typeof indicatorResults)[number]

export const attackResults = ['exploited', 'not_exploited', 'partial', 'error'] as const
export type AttackResult = (typeof attackResults)[number]

export type AdvanceReason = 'event_matched' | 'timeout'
export type ParseErrorKind = 'syntax' | 'type_mismatch' | 'unknown_variant'
export type EvaluationErrorKind =
  | 'path_resolution'
  | 'regex_timeout'
  | 'cel_error'
  | 'type_error'
  | 'semantic_error'
  | 'unsupported_method'
export type GenerationErrorKind =
  | 'provider_unavailable'
  | 'model_error'
  | 'validation_failure'
  | 'timeout'
  | 'content_policy'

/**
 * The keys of response-dispatch lists ([OATF §7.0.1](https://oatf.io/specification/protocol-bindings/)) anywhere in a
 * state.
 */
export const responseListKeys = [
  'responses',
  'sampling_responses',
  'elicitation_responses',
  'task_responses',
  'tool_responses',
] as const
