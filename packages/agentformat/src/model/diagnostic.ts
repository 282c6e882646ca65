/** The codes of all Agent Format errors and warnings, before and during a run. */
import type { Diagnostic } from '@joust/source'

/** The phase that reports a code: parsing one document, loading the graph, preparing a run, or running. */
export type AgentPhase = 'parse' | 'load' | 'prepare' | 'run'

/** Every code with its phase and meaning. Loading the graph may report codes of later phases. */
// biome-ignore format: a row is a line
export const agentCodes = {
  yaml_syntax: { phase: 'parse', summary: 'The document is not plain YAML 1.2 or JSON.' },
  schema_violation: { phase: 'parse', summary: 'The document does not match the Agent Format schema.' },
  unsupported_schema_version: { phase: 'parse', summary: 'The document uses an unsupported version of the format.' },
  invalid_interface_schema: { phase: 'parse', summary: 'An interface schema is not valid JSON Schema.' },

  unknown_field: { phase: 'load', summary: 'A field is not part of the format and has no effect.' },
  duplicate_alias: { phase: 'load', summary: 'A list has a duplicate alias.' },
  duplicate_entry: { phase: 'load', summary: 'An allow list has a duplicate entry.' },
  reserved_alias: { phase: 'load', summary: 'An alias is a reserved word of path expressions.' },
  alias_clash: { phase: 'load', summary: 'Two lists of the action space share an alias.' },
  unknown_agent: { phase: 'load', summary: 'A policy or an expression refers to an unknown agent.' },
  invalid_path_expression: { phase: 'load', summary: 'A path expression is invalid or not allowed at its position.' },
  dependency_order: { phase: 'load', summary: 'An expression reads a value that does not exist yet.' },
  unresolved_field: { phase: 'load', summary: 'No schema declares the field that an expression reads.' },
  undeclared_field: { phase: 'load', summary: 'A mapping sets a field that the sub-agent does not declare.' },
  invalid_output_from: { phase: 'load', summary: 'The output is taken from an agent that the policy does not run.' },
  batch_without_iteration: { phase: 'load', summary: 'A batch does not iterate over any list.' },
  batch_prefix_mismatch: { phase: 'load', summary: 'A batch iterates over more than one list.' },
  batch_output_shape: { phase: 'load', summary: 'The output schema of a batch has no list for the results.' },
  invalid_pattern: { phase: 'load', summary: 'A pattern is not an RE2 regular expression.' },
  empty_condition: { phase: 'load', summary: 'A condition is empty.' },
  unknown_variable: { phase: 'load', summary: 'A template has an unknown placeholder.' },
  empty_allow_list: { phase: 'load', summary: 'An allow list is empty.' },
  empty_server_ref: { phase: 'load', summary: 'A reference to a server is empty.' },
  invalid_homepage: { phase: 'load', summary: 'The homepage is not a URL.' },
  unresolvable_source: { phase: 'load', summary: 'A sub-agent cannot be read.' },
  agent_cycle: { phase: 'load', summary: 'Agents refer to each other in a cycle.' },
  depth_impossible: { phase: 'load', summary: 'The delegation limit is too low for the agent.' },
  memory_contradiction: { phase: 'load', summary: 'A sub-agent requires memory but does not get any.' },
  looser_limit: { phase: 'load', summary: 'A sub-agent declares a higher limit than its parent.' },
  invariant_lifted: { phase: 'load', summary: 'The agent allows sub-agents to exceed its limits.' },

  unsupported_policy: { phase: 'prepare', summary: 'The execution policy is unknown.' },
  unbound_tool: { phase: 'prepare', summary: 'A local tool is not bound.' },
  unmapped_server: { phase: 'prepare', summary: 'A server or a remote agent is not mapped.' },
  unknown_transform: { phase: 'prepare', summary: 'A transform is not registered.' },
  policy_unresolved: { phase: 'prepare', summary: 'A governance policy cannot be found.' },
  memory_required: { phase: 'prepare', summary: 'The agent requires memory.' },

  input_validation: { phase: 'run', summary: 'The input does not match its schema.' },
  output_validation: { phase: 'run', summary: 'The output does not match its schema.' },
  type_mismatch: { phase: 'run', summary: 'A value cannot have the required type.' },
  missing_value: { phase: 'run', summary: 'A required value is missing.' },
  null_for_required: { phase: 'run', summary: 'A required value is null.' },
  field_absent: { phase: 'run', summary: 'A field that an expression reads does not exist.' },
  length_mismatch: { phase: 'run', summary: 'Lists of a batch differ in length.' },
  no_route_matched: { phase: 'run', summary: 'No route matches and there is no default.' },
  merge_conflict: { phase: 'run', summary: 'Merged outputs have the same property.' },
  limit_exceeded: { phase: 'run', summary: 'A limit was reached.' },
  max_steps_exceeded: { phase: 'run', summary: 'The agent did not finish within its step limit.' },
  approval_denied: { phase: 'run', summary: 'An approval was denied.' },
  approval_unavailable: { phase: 'run', summary: 'No approver was available.' },
  agent_failed: { phase: 'run', summary: 'A sub-agent failed.' },
} as const satisfies Record<string, { readonly phase: AgentPhase; readonly summary: string }>

/** The code of a finding or a failed run. */
export type AgentCode = keyof typeof agentCodes

/** A finding about an agent document. */
export type AgentDiagnostic = Diagnostic & {
  readonly code: AgentCode
  /** The file name, as used by the reader. */
  readonly file?: string
  /** The violated rule or decision, such as `P-03` or `OPEN-26`. */
  readonly rule?: string
  /** The importance of a warning, if different from the default (OPEN-2). */
  readonly level?: 'high' | 'info'
  /** A reason that is more specific than the code. */
  readonly reason?: 'outside_folder'
}

/** The meaning of each code in one sentence. */
export const agentCodeSummaries: { readonly [code: string]: string } = Object.fromEntries(
  Object.entries(agentCodes).map(([code, { summary }]) => [code, summary]),
)
