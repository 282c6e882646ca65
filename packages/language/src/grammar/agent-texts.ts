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
  interface: 'What the agent takes and gives, as JSON Schemas.',
  'interface.input': 'The schema of the input. `parent.input.…` reads from it.',
  'interface.output': 'The schema of the output. Parents read it as `alias.output.…`.',
  execution_policy: 'How the agent runs.',
  'execution_policy.id': 'The policy: a standard one (`agf.…`), or a vendor\'s.',
  'execution_policy.config': 'What the policy needs to know.',
  'execution_policy.config.instructions': 'What the model is told before everything else.',
  'execution_policy.config.model': 'The model that answers.',
  'execution_policy.config.max_steps': 'How many turns the model gets.',
  'execution_policy.config.user_prompt_template': 'The prompt; `{{field}}` is a field of the input.',
  'execution_policy.config.steps': 'Sub-agents, one after the other.',
  'execution_policy.config.agents': 'Sub-agents, side by side.',
  'execution_policy.config.routes': 'Conditions and the sub-agent that runs when one holds; the first that fits counts.',
  'execution_policy.config.default_agent': 'The sub-agent that runs when no route fits.',
  'execution_policy.config.output_from': 'Where the output comes from: the alias of a sub-agent, or a strategy.',
  'execution_policy.config.max_iterations': 'How many times a loop runs at most.',
  'execution_policy.config.exit_condition': 'When a loop is done.',
  'execution_policy.config.max_batch_count': 'How many items a batch takes at most.',
  'execution_policy.config.agent': 'The sub-agent that runs for each item.',
  'execution_policy.config.routes[].when': 'Path expressions and what they have to be.',
  memory: 'Whether the agent needs a memory.',
  constraints: 'Limits that hold whatever the model wants.',
  'constraints.budget': 'How many tokens and how much time a run may take.',
  'constraints.limits': 'How many calls a run may make, and how deep it may delegate.',
  'constraints.governance_policies': 'Policies of a registry that hold for the agent.',
  'constraints.tighten_only_invariant': 'Whether sub-agents may only tighten limits. Leave it on.',
  action_space: 'What the agent may call, and nothing else.',
  'action_space.local_tools': 'Tools that the host binds.',
  'action_space.mcp_servers': 'MCP servers that the host maps, and which of their tools may be called.',
  'action_space.local_agents': 'Agents in files of their own.',
  'action_space.remote_agents': 'Agents behind an address.',
  'action_space.mcp_servers[].allowed_tools': 'The tools that may be called; without it, all of them.',
  'action_space.local_agents[].alias': 'The name by which policies and path expressions know the agent.',
  'action_space.local_agents[].source': 'The file, relative to this one.',
  'action_space.local_agents[].source_type': 'What kind of source it is; a file by default.',
  'action_space.local_agents[].memory_scope_strategy': 'Whether the agent shares the memory, has its own, or has none.',
}

/** The sentence about a field. */
export function agentText(id: string): string | undefined {
  if (/^action_space\.\w+\[\](?:\.\w+\[\])?\.approval$/.test(id)) return 'Whether a human is asked before it is called.'
  if (/\.input_mapping$/.test(id)) return "Fields of the sub-agent's input, and path expressions that fill them."
  if (/\[\]\.agent$/.test(id)) return 'The alias of a local agent.'
  if (/\.args_match$/.test(id)) return 'What is looked at, and what it has to be; all entries have to hold.'
  return ownText(agentTexts, id)
}
