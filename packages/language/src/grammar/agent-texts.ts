/** What the fields of an agent file are for, by the path to them; items of lists are `[]`. */
import { ownText } from '@joust/source'

// biome-ignore format: a row is a line
const agentTexts: { readonly [field: string]: string } = {
  schema_version: 'The version of Agent Format, three numbers.',
  metadata: 'Who the agent is.',
  'metadata.id': 'The id of the agent: lower-case letters, digits, `_` and `-`.',
  'metadata.name': 'What people call the agent.',
  'metadata.version': 'The version of this agent.',
  'metadata.description': 'What the agent does.',
  'metadata.authors': 'Who wrote it.',
  'metadata.license': 'The licence that it is given under.',
  'metadata.labels': 'Names and words to find the agent by.',
  'metadata.annotations': 'What tools note about the agent.',
  'metadata.homepage': 'Where one can read more, as an address.',
  'metadata.data_classification': 'How sensitive the data is that the agent works on.',
  'metadata.namespace': 'What the id is unique in.',
  interface: 'What the agent takes and gives, as JSON Schemas.',
  'interface.input': 'The schema of the input. `parent.input.…` reads from it.',
  'interface.output': 'The schema of the output. Parents read it as `alias.output.…`.',
  'interface.input.type': 'What kind of value it is.',
  'interface.output.type': 'What kind of value it is.',
  execution_policy: 'How the agent runs.',
  'execution_policy.id': 'The policy: a standard one (`agf.…`), or a vendor\'s.',
  'execution_policy.config': 'What the policy needs to know.',
  'execution_policy.config.instructions': 'What the model is told before everything else.',
  'execution_policy.config.model': 'The model that answers.',
  'execution_policy.config.provider': 'Who offers the model.',
  'execution_policy.config.temperature': 'How freely the model chooses its words, from 0 to 2.',
  'execution_policy.config.top_p': 'The share of likely words that the model chooses from, from 0 to 1.',
  'execution_policy.config.top_k': 'The number of likely words that the model chooses from.',
  'execution_policy.config.max_output_tokens': 'How many tokens an answer of the model has at most.',
  'execution_policy.config.stop_sequences': 'Texts after which the model stops.',
  'execution_policy.config.max_steps': 'How many turns the model gets.',
  'execution_policy.config.tool_choice': 'Whether the model may, must or must not call a tool.',
  'execution_policy.config.user_prompt_template': 'The prompt; `{{field}}` is a field of the input.',
  'execution_policy.config.steps': 'Sub-agents, one after the other.',
  'execution_policy.config.agents': 'Sub-agents, side by side.',
  'execution_policy.config.routes': 'Conditions and the sub-agent that runs when one holds; the first that fits counts.',
  'execution_policy.config.default_agent': 'The sub-agent that runs when no route fits.',
  'execution_policy.config.output_from': 'Where the output comes from: the alias of a sub-agent, or a strategy.',
  'execution_policy.config.output_from.agent': 'The alias of the sub-agent whose output it is.',
  'execution_policy.config.output_from.strategy': 'How the outputs of sub-agents become one.',
  'execution_policy.config.output_from.custom_transform': 'A function of the host that makes the output.',
  'execution_policy.config.output_from.description': 'What the output is, for people.',
  'execution_policy.config.max_iterations': 'How many times a loop runs at most.',
  'execution_policy.config.exit_condition': 'When a loop is done.',
  'execution_policy.config.max_batch_count': 'How many items a batch takes at most.',
  'execution_policy.config.agent': 'The sub-agent that runs for each item.',
  'execution_policy.config.routes[].when': 'Path expressions and what they have to be.',
  memory: 'Whether the agent needs a memory.',
  'memory.required': 'Whether the agent does not run without one.',
  constraints: 'Limits that hold whatever the model wants.',
  'constraints.budget': 'How many tokens and how much time a run may take.',
  'constraints.budget.max_token_usage': 'How many tokens a run may use, those of sub-agents included.',
  'constraints.budget.max_duration_seconds': 'How long a run may take.',
  'constraints.limits': 'How many calls a run may make, and how deep it may delegate.',
  'constraints.limits.max_llm_calls': 'How often a run may ask a model.',
  'constraints.limits.max_tool_calls': 'How often a run may call tools.',
  'constraints.limits.max_delegation_depth': 'How deep agents may call agents.',
  'constraints.governance_policies': 'Policies of a registry that hold for the agent.',
  'constraints.governance_policies[].policy_ref': 'The policy, as its registry knows it.',
  'constraints.governance_policies[].required': 'Whether the agent does not run where the policy cannot be found.',
  'constraints.governance_policies[].description': 'Why the policy holds, for people.',
  'constraints.tighten_only_invariant': 'Whether sub-agents may only tighten limits. Leave it on.',
  action_space: 'What the agent may call, and nothing else.',
  'action_space.local_tools': 'Tools that the host binds.',
  'action_space.local_tools[].name': 'The name by which the host knows the tool.',
  'action_space.mcp_servers': 'MCP servers that the host maps, and which of their tools may be called.',
  'action_space.mcp_servers[].server_ref': 'The name by which the host knows the server.',
  'action_space.mcp_servers[].allowed_tools': 'The tools that may be called; without it, all of them.',
  'action_space.mcp_servers[].allowed_tools[].name': 'The name of the tool.',
  'action_space.local_agents': 'Agents in files of their own.',
  'action_space.local_agents[].source': 'The file, relative to this one.',
  'action_space.local_agents[].source_type': 'What kind of source it is; a file by default.',
  'action_space.local_agents[].memory_scope_strategy': 'Whether the agent shares the memory, has its own, or has none.',
  'action_space.remote_agents': 'Agents behind an address.',
  'action_space.remote_agents[].input_modes': 'The kinds of content that the agent takes.',
  'action_space.remote_agents[].output_modes': 'The kinds of content that the agent gives.',
  'action_space.remote_agents[].allowed_skills': 'The skills that may be asked for; without it, all of them.',
  'action_space.remote_agents[].allowed_skills[].id': 'The id of the skill on its Agent Card.',
}

/** What stands in several places, by the last key. */
const everywhere: { readonly [field: string]: string } = {
  agent: 'The alias of a local agent.',
  input_mapping: "Fields of the sub-agent's input, and path expressions that fill them.",
  args_match: 'What is looked at, and what it has to be; all entries have to hold.',
  alias: 'The name by which policies and path expressions know it.',
  description: 'What it is for; models read it.',
  approval: 'Whether a human is asked before it is called.',
  message_template: 'What the human is asked.',
  condition: 'When a human is asked; without it, always.',
  gt: 'The number is greater than this.',
  gte: 'The number is this or greater.',
  lt: 'The number is less than this.',
  lte: 'The number is this or less.',
  ne: 'The value is not this.',
  pattern: 'The text matches this regular expression of RE2.',
  in: 'The value is one of these.',
  not_in: 'The value is none of these.',
}

/** The page of the documentation of Agent Format that has the rules for a field, and a sentence. */
export function agentText(id: string): readonly [page: string, text: string] {
  const last = id.slice(id.lastIndexOf('.') + 1)
  return [`Agent Format, ${pageOf(id)}`, ownText(agentTexts, id) ?? ownText(everywhere, last) ?? '']
}

function pageOf(id: string): string {
  if (/\.input_mapping$/.test(id)) return 'path expressions'
  if (/\.(?:args_match|when|exit_condition|condition)(?:[.[]|$)/.test(id)) return 'condition matchers'
  if (/\.approval\b/.test(id)) return 'approval'
  if (id.startsWith('constraints.governance_policies')) return 'governance'
  return id.startsWith('execution_policy') ? 'policy catalog' : 'field reference'
}
