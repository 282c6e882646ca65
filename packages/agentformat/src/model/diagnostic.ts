/** What can be wrong with an agent, before and while it runs: the closed list of codes, and the finding that carries one. */
import type { Diagnostic } from '@joust/source'

/** When a code is reported: reading one text, loading the graph, preparing a run, running. */
export type AgentPhase = 'parse' | 'load' | 'prepare' | 'run'

/** Every code with the first phase that can report it. A rule may report a later phase's code at load, when it can know already. */
export const agentCodes = {
  yaml_syntax: 'parse',
  schema_violation: 'parse',
  unsupported_schema_version: 'parse',
  invalid_interface_schema: 'parse',

  unknown_field: 'load',
  duplicate_alias: 'load',
  duplicate_entry: 'load',
  reserved_alias: 'load',
  alias_clash: 'load',
  unknown_agent: 'load',
  invalid_path_expression: 'load',
  dependency_order: 'load',
  unresolved_field: 'load',
  undeclared_field: 'load',
  invalid_output_from: 'load',
  batch_without_iteration: 'load',
  batch_prefix_mismatch: 'load',
  batch_output_shape: 'load',
  invalid_pattern: 'load',
  empty_condition: 'load',
  unknown_variable: 'load',
  empty_allow_list: 'load',
  empty_server_ref: 'load',
  invalid_homepage: 'load',
  unresolvable_source: 'load',
  agent_cycle: 'load',
  depth_impossible: 'load',
  memory_contradiction: 'load',
  looser_limit: 'load',
  invariant_lifted: 'load',

  unsupported_policy: 'prepare',
  unbound_tool: 'prepare',
  unmapped_server: 'prepare',
  unknown_transform: 'prepare',
  policy_unresolved: 'prepare',
  memory_required: 'prepare',

  input_validation: 'run',
  output_validation: 'run',
  type_mismatch: 'run',
  missing_value: 'run',
  null_for_required: 'run',
  field_absent: 'run',
  length_mismatch: 'run',
  no_route_matched: 'run',
  merge_conflict: 'run',
  limit_exceeded: 'run',
  max_steps_exceeded: 'run',
  approval_denied: 'run',
  approval_unavailable: 'run',
  agent_failed: 'run',
} as const satisfies Record<string, AgentPhase>

/** The code of a finding or of a failed run. */
export type AgentCode = keyof typeof agentCodes

/** A finding about an agent document. */
export type AgentDiagnostic = Diagnostic & {
  readonly code: AgentCode
  /** The file, as the reader of the graph names it. */
  readonly file?: string
  /** The rule or decision behind the finding, for example `P-03` or `OPEN-26`. */
  readonly rule?: string
  /** Marks the loud and the quiet among the warnings (OPEN-2). */
  readonly level?: 'high' | 'info'
}
