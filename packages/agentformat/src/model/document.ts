/** The document types of Agent Format 1.0, spelled as in the YAML. Unknown fields stay where they were written. */
import type { ValueRecord } from '@joust/source'
import type { Approval } from './condition.ts'
import type { ExecutionPolicy } from './policy.ts'

/** One agent: one YAML document. */
export interface AgentDocument {
  readonly schema_version: string
  readonly metadata: Metadata
  readonly interface: Interface
  readonly execution_policy: ExecutionPolicy
  readonly memory?: Memory
  readonly constraints?: Constraints
  readonly action_space?: ActionSpace
}

/** Who the agent is. `labels` take part in matching governance policies, `annotations` never do. */
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

/** What the agent takes and returns. */
export interface Interface {
  readonly input: InterfaceSchema
  readonly output: InterfaceSchema
}

/** A JSON Schema (2020-12) object; at the root `type`, if present, is one of six names. */
export type InterfaceSchema = ValueRecord & { readonly type?: RootType }

/** What an interface may be at its root. */
export type RootType = 'object' | 'string' | 'number' | 'integer' | 'boolean' | 'array'

/** A JSON Schema anywhere below the root. */
export type JsonSchema = boolean | ValueRecord

/** Whether the agent needs a memory; the default is false. */
export interface Memory {
  readonly required?: boolean
}

/** Hard limits of a run. An absent limit means no limit from this agent; zero is zero. */
export interface Constraints {
  /** Default true. */
  readonly tighten_only_invariant?: boolean
  readonly budget?: Budget
  readonly limits?: RunLimits
  readonly governance_policies?: readonly GovernancePolicyRef[]
}

/** Tokens and wall clock of one run. */
export interface Budget {
  readonly max_token_usage?: number
  readonly max_duration_seconds?: number
}

/** Counts of one run. */
export interface RunLimits {
  readonly max_llm_calls?: number
  readonly max_tool_calls?: number
  readonly max_delegation_depth?: number
}

/** A policy kept in a registry outside the document. */
export interface GovernancePolicyRef {
  readonly policy_ref: string
  /** Default true: without the policy the agent does not run. */
  readonly required?: boolean
  readonly description?: string
}

/** What the agent may call. Aliases are unique within each list. */
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

/** An MCP server that the host maps by `server_ref` or alias. */
export interface McpServer {
  readonly alias: string
  readonly server_ref?: string
  readonly description?: string
  readonly allowed_tools?: readonly McpToolRef[]
  readonly approval?: Approval
}

/** A tool of an MCP server: its name, or its name with an approval of its own. */
export type McpToolRef = string | { readonly name: string; readonly approval?: Approval }

/** Another agent document. */
export interface LocalAgent {
  readonly alias: string
  readonly source: string
  /** Default `file`. */
  readonly source_type?: string
  readonly description?: string
  readonly approval?: Approval
  /** Default `inherit`. */
  readonly memory_scope_strategy?: MemoryScopeStrategy
}

/** How a sub-agent's memory relates to its parent's. */
export type MemoryScopeStrategy = 'inherit' | 'isolated' | 'none'

/** An agent elsewhere, reached over A2A; the host maps it by alias. */
export interface RemoteAgent {
  readonly alias: string
  readonly description?: string
  readonly input_modes?: readonly string[]
  readonly output_modes?: readonly string[]
  readonly allowed_skills?: readonly SkillRef[]
  readonly approval?: Approval
}

/** A skill of a remote agent: its id, or its id with an approval of its own. */
export type SkillRef = string | { readonly id: string; readonly approval?: Approval }
