/** Agent Format 1.0 document types, with the field names of the YAML. Parsed documents keep unknown fields. */
import type { ValueRecord } from '@joust/source'
import type { Approval } from './condition.ts'
import type { ExecutionPolicy } from './policy.ts'

/** An agent document. */
export interface AgentDocument {
  readonly schema_version: string
  readonly metadata: Metadata
  readonly interface: Interface
  readonly execution_policy: ExecutionPolicy
  readonly memory?: Memory
  readonly constraints?: Constraints
  readonly action_space?: ActionSpace
}

/** The identity of the agent. Governance policies match `labels`, never `annotations`. */
export interface Metadata {
  readonly id: string
  readonly name: string
  readonly version: string
  readonly description: string
  readonly authors?: readonly string[]
  readonly license?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly homepage?: string
  readonly data_classification?: string
  readonly namespace?: string
}

/** The input and output schemas of an agent. */
export interface Interface {
  readonly input: InterfaceSchema
  readonly output: InterfaceSchema
}

/** A JSON Schema (2020-12) object. The root `type`, if present, must be a `RootType`. */
export type InterfaceSchema = ValueRecord & { readonly type?: RootType }

/** A root type of an interface schema. */
export type RootType = 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'array'

/** A JSON Schema at any level below the root. */
export type JsonSchema = boolean | ValueRecord

/** The memory settings of an agent. */
export interface Memory {
  /** @default false */
  readonly required?: boolean
}

/** Hard limits of a run. A missing limit means unlimited; a limit of zero allows nothing. */
export interface Constraints {
  /** @default true */
  readonly tighten_only_invariant?: boolean
  readonly budget?: Budget
  readonly limits?: RunLimits
  readonly governance_policies?: readonly GovernancePolicyRef[]
}

/** Token and time limits of one run. */
export interface Budget {
  readonly max_token_usage?: number
  readonly max_duration_seconds?: number
}

/** Call and depth limits of one run. */
export interface RunLimits {
  /** @default unlimited */
  readonly max_llm_calls?: number
  /** @default unlimited */
  readonly max_tool_calls?: number
  /** @default unlimited */
  readonly max_delegation_depth?: number
}

/** A reference to a policy in an external registry. */
export interface GovernancePolicyRef {
  readonly policy_ref: string
  /** Refuses to run without the policy. @default true */
  readonly required?: boolean
  readonly description?: string
}

/** Everything that an agent may call. Aliases are unique within each list. */
export interface ActionSpace {
  readonly local_tools?: readonly LocalTool[]
  readonly mcp_servers?: readonly McpServer[]
  readonly local_agents?: readonly LocalAgent[]
  readonly remote_agents?: readonly RemoteAgent[]
}

/** A function that the host binds by alias. */
export interface LocalTool {
  readonly alias: string
  readonly name?: string
  readonly description?: string
  readonly approval?: Approval
}

/** An MCP server that the host resolves by `server_ref` or alias. */
export interface McpServer {
  readonly alias: string
  readonly server_ref?: string
  readonly description?: string
  readonly allowed_tools?: readonly McpToolRef[]
  readonly approval?: Approval
}

/** The name of an MCP tool, optionally with its own approval. */
export type McpToolRef = string | { readonly name: string; readonly approval?: Approval }

/** A sub-agent in another document. */
export interface LocalAgent {
  readonly alias: string
  readonly source: string
  /** @default 'file' */
  readonly source_type?: string
  readonly description?: string
  readonly approval?: Approval
  /** @default 'inherit' */
  readonly memory_scope_strategy?: MemoryScopeStrategy
}

/** The memory of a sub-agent: shared with its parent, its own, or none. */
export type MemoryScopeStrategy = 'inherit' | 'isolated' | 'none'

/** A remote agent called over A2A. The host resolves its alias. */
export interface RemoteAgent {
  readonly alias: string
  readonly description?: string
  readonly input_modes?: readonly string[]
  readonly output_modes?: readonly string[]
  readonly allowed_skills?: readonly SkillRef[]
  readonly approval?: Approval
}

/** The id of a remote agent's skill, optionally with its own approval. */
export type SkillRef = string | { readonly id: string; readonly approval?: Approval }
