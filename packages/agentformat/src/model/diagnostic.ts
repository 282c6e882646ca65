/** What can be wrong with an agent, before and while it runs: the closed list of codes, and findings that carry one. */
import type { Diagnostic } from '@joust/source'

/** When a code is reported: reading one text, loading the graph, preparing a run, running. */
export type AgentPhase = 'parse' | 'load' | 'prepare' | 'run'

/** Every code with its phase and meaning; a rule that knows at load may report the code of a later phase there. */
// biome-ignore format: a row is a line
export const agentCodes = {
  yaml_syntax: { phase: 'parse', summary: 'The text is not plain YAML 1.2 or JSON.' },
  schema_violation: { phase: 'parse', summary: 'A part of the document does not have the shape that the format requires.' },
  unsupported_schema_version: { phase: 'parse', summary: 'The document is written in another version of the format.' },
  invalid_interface_schema: { phase: 'parse', summary: 'A schema of the interface is not a usable JSON Schema.' },

  unknown_field: { phase: 'load', summary: 'A field is not part of the format and has no effect.' },
  duplicate_alias: { phase: 'load', summary: 'An alias appears twice in its list.' },
  duplicate_entry: { phase: 'load', summary: 'An allow list names something twice.' },
  reserved_alias: { phase: 'load', summary: 'An alias is a word that path expressions use.' },
  alias_clash: { phase: 'load', summary: 'Two lists of the action space share an alias.' },
  unknown_agent: { phase: 'load', summary: 'A policy or an expression names an agent that does not exist.' },
  invalid_path_expression: { phase: 'load', summary: 'A path expression is not well formed, or not allowed where it is.' },
  dependency_order: { phase: 'load', summary: 'An expression reads what does not exist yet.' },
  unresolved_field: { phase: 'load', summary: 'No schema declares the field that an expression reads.' },
  undeclared_field: { phase: 'load', summary: 'A mapping feeds a field that the sub-agent does not declare.' },
  invalid_output_from: { phase: 'load', summary: 'The output is taken from an agent that the policy does not run.' },
  batch_without_iteration: { phase: 'load', summary: 'A batch does not iterate over any list.' },
  batch_prefix_mismatch: { phase: 'load', summary: 'A batch iterates over more than one list.' },
  batch_output_shape: { phase: 'load', summary: 'The output of a batch has no place for its results.' },
  invalid_pattern: { phase: 'load', summary: 'A pattern is not an RE2 regular expression.' },
  empty_condition: { phase: 'load', summary: 'A condition is empty.' },
  unknown_variable: { phase: 'load', summary: 'A placeholder has no value.' },
  empty_allow_list: { phase: 'load', summary: 'An allow list is empty.' },
  empty_server_ref: { phase: 'load', summary: 'A reference to a server is empty.' },
  invalid_homepage: { phase: 'load', summary: 'The homepage is not an address.' },
  unresolvable_source: { phase: 'load', summary: 'A sub-agent cannot be read.' },
  agent_cycle: { phase: 'load', summary: 'Agents lead back to each other.' },
  depth_impossible: { phase: 'load', summary: 'The limit of delegations is too low for the agent.' },
  memory_contradiction: { phase: 'load', summary: 'A sub-agent requires memory that it does not get.' },
  looser_limit: { phase: 'load', summary: 'A sub-agent declares a limit that its parent does not allow.' },
  invariant_lifted: { phase: 'load', summary: 'The agent lets sub-agents loosen limits.' },

  unsupported_policy: { phase: 'prepare', summary: 'The execution policy is not known.' },
  unbound_tool: { phase: 'prepare', summary: 'A local tool is not bound.' },
  unmapped_server: { phase: 'prepare', summary: 'A server or a remote agent is not mapped.' },
  unknown_transform: { phase: 'prepare', summary: 'A transform is not registered.' },
  policy_unresolved: { phase: 'prepare', summary: 'A governance policy cannot be found.' },
  memory_required: { phase: 'prepare', summary: 'The agent requires memory.' },

  input_validation: { phase: 'run', summary: 'The input does not fit its schema.' },
  output_validation: { phase: 'run', summary: 'The output does not fit its schema.' },
  type_mismatch: { phase: 'run', summary: 'A value cannot be of the type that is required there.' },
  missing_value: { phase: 'run', summary: 'A value that is required is missing.' },
  null_for_required: { phase: 'run', summary: 'A value that is required is null.' },
  field_absent: { phase: 'run', summary: 'A field that an expression reads does not exist.' },
  length_mismatch: { phase: 'run', summary: 'Lists that belong together differ in length.' },
  no_route_matched: { phase: 'run', summary: 'No route fits and there is no default.' },
  merge_conflict: { phase: 'run', summary: 'Merged outputs have the same property.' },
  limit_exceeded: { phase: 'run', summary: 'A limit was reached.' },
  max_steps_exceeded: { phase: 'run', summary: 'The agent was not done within its steps.' },
  approval_denied: { phase: 'run', summary: 'An approval was denied.' },
  approval_unavailable: { phase: 'run', summary: 'There was nobody to approve.' },
  agent_failed: { phase: 'run', summary: 'A sub-agent failed.' },
} as const satisfies Record<string, { readonly phase: AgentPhase; readonly summary: string }>

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

/** What each code means, in a sentence. */
export const agentCodeSummaries: { readonly [code: string]: string } = Object.fromEntries(
  Object.entries(agentCodes).map(([code, { summary }]) => [code, summary]),
)
