/** Execution policies and their configurations, with the field names of the YAML. */
import type { ValueRecord } from '@joust/source'
import type { Conditions } from './condition.ts'

/** Ids of the standard policies. The compiler requires a configuration, schema, plan and runner for each. */
export const standardPolicyIds = [
  'agf.react',
  'agf.sequential',
  'agf.parallel',
  'agf.loop',
  'agf.batch',
  'agf.conditional',
] as const

/** The id of a standard policy. */
export type StandardPolicyId = (typeof standardPolicyIds)[number]

/** The configuration of each standard policy. */
export interface PolicyConfigs {
  readonly 'agf.react': ReactConfig
  readonly 'agf.sequential': SequentialConfig
  readonly 'agf.parallel': ParallelConfig
  readonly 'agf.loop': LoopConfig
  readonly 'agf.batch': BatchConfig
  readonly 'agf.conditional': ConditionalConfig
}

/** A standard policy with its configuration. */
export type StandardPolicy = {
  [Id in StandardPolicyId]: { readonly id: Id; readonly config: PolicyConfigs[Id] }
}[StandardPolicyId]

/** An execution policy. A vendor policy may have any object as its configuration. */
export type ExecutionPolicy = StandardPolicy | { readonly id: string; readonly config: ValueRecord }

/**
 * Returns the policy with its typed configuration, or undefined for a vendor policy.
 *
 * @example
 * const policy = standardPolicy(loadedAgent.agent.document.execution_policy)
 * if (policy?.id === 'agf.react') console.log(policy.config.model)
 */
export function standardPolicy(policy: ExecutionPolicy): StandardPolicy | undefined {
  // The document schema has checked the configuration of a standard policy.
  return isStandardPolicyId(policy.id) ? (policy as StandardPolicy) : undefined
}

/**
 * True if the id belongs to a standard policy.
 *
 * @example
 * console.log(isStandardPolicyId('agf.react'), isStandardPolicyId('x-acme.vote'))
 */
export function isStandardPolicyId(id: string): id is StandardPolicyId {
  return standardPolicyIds.some((known) => known === id)
}

/** A sub-agent to run. Without a mapping, the sub-agent receives the parent's whole input. */
export interface PolicyStep {
  readonly agent: string
  readonly input_mapping?: InputMapping
}

/** The path expression for each field of the sub-agent's input. */
export type InputMapping = Readonly<Record<string, string>>

/** The source of a policy's output: a strategy, an alias, or the object form. */
export type OutputFrom = string | OutputFromObject

/** The object form of `output_from`, with exactly one of `agent`, `strategy` and `custom_transform`. */
export interface OutputFromObject {
  readonly agent?: string
  readonly strategy?: OutputStrategy
  readonly custom_transform?: string
  readonly description?: string
}

/** The built-in output strategies. */
export const outputStrategies = ['last', 'merge', 'first'] as const

/** The name of a built-in output strategy. */
export type OutputStrategy = (typeof outputStrategies)[number]

/** A model that reasons and calls tools until it answers. */
export interface ReactConfig {
  readonly instructions: string
  readonly model: string
  readonly provider?: string
  readonly temperature?: number
  readonly top_p?: number
  readonly top_k?: number
  readonly max_output_tokens?: number
  readonly stop_sequences?: readonly string[]
  /** @default 10 */
  readonly max_steps?: number
  /** @default 'auto' */
  readonly tool_choice?: 'auto' | 'required' | 'none'
  readonly user_prompt_template?: string
}

/** Steps in sequence. */
export interface SequentialConfig {
  readonly steps: readonly PolicyStep[]
  /** @default 'last' */
  readonly output_from?: OutputFrom
}

/** Steps in parallel. */
export interface ParallelConfig {
  readonly agents: readonly PolicyStep[]
  /** @default 'merge' */
  readonly output_from?: OutputFrom
}

/** Steps in a loop. */
export interface LoopConfig {
  readonly steps: readonly PolicyStep[]
  /** @default 10 */
  readonly max_iterations?: number
  readonly exit_condition?: Conditions
  /** @default 'last' */
  readonly output_from?: OutputFrom
}

/** A sub-agent that runs for each element of a list. */
export interface BatchConfig {
  readonly agent: string
  readonly input_mapping: InputMapping
  /** The maximum number of items; zero means no limit. @default 0 */
  readonly max_batch_count?: number
}

/** Routes with conditions. The first route whose condition matches runs. */
export interface ConditionalConfig {
  readonly routes: readonly ConditionalRoute[]
  readonly default_agent?: string
}

/** A condition, and the sub-agent to run if it matches. */
export interface ConditionalRoute {
  readonly when: Conditions
  readonly agent: string
  readonly input_mapping?: InputMapping
}
