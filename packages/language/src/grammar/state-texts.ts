/** What the keys of a state are for, by mode: its binding names them, a schema does not reach there. */
import { bindings, extractProtocol } from '@joust/oatf/vocabulary'
import type { Path } from '@joust/source'

const responses = {
  responses: 'The answers to choose from; the first whose `when` fits the request is sent.',
  'responses.when':
    'What the request has to hold for this answer: paths and conditions. An answer without it always fits.',
  'responses.content': 'What is sent, in the words of the protocol; templates are filled.',
  'responses.x-joust-during': 'An extension of ours: messages that are sent before the answer, on the same stream.',
} as const

const actions = {
  actions: 'The requests that the attacker sends, one after the other.',
  'actions.method': 'The method of the request.',
  'actions.params': 'What the request holds; templates are filled.',
} as const

const answers = (key: string, to: string): { readonly [key: string]: string } => ({
  [key]: `How the attacker answers ${to}; the first entry whose \`when\` fits is sent.`,
  [`${key}.when`]: responses['responses.when'],
  [`${key}.content`]: responses['responses.content'],
})

const stateTexts: { readonly [mode: string]: { readonly [key: string]: string } } = {
  mcp_server: {
    ...responsesOf('tools'),
    ...responsesOf('prompts'),
    protocol_version: 'The version of the protocol that the server says it speaks.',
    server_info: 'The name and version that the server gives itself.',
    instructions: 'What the server tells the agent about its use, before anything is asked.',
    capabilities: 'What the server says it can do.',
    'capabilities.tools': 'That it has tools.',
    'capabilities.resources': 'That it has resources.',
    'capabilities.prompts': 'That it has prompts.',
    'capabilities.logging': 'That it sends log messages.',
    'capabilities.completions': 'That it completes arguments.',
    tools: 'The tools that the server offers; descriptions and answers are where injections stand.',
    'tools.name': 'The name by which the agent calls the tool.',
    'tools.description': 'What the agent reads about the tool, and its model with it.',
    'tools.inputSchema': 'The JSON Schema of the arguments.',
    'tools.outputSchema': 'The JSON Schema of `structuredContent` in answers.',
    resources: 'The resources that the server offers.',
    'resources.uri': 'The address by which the agent asks for it.',
    'resources.name': 'What the resource is called.',
    'resources.description': 'What the agent reads about the resource.',
    'resources.mimeType': 'The kind of its content.',
    'resources.content': 'What reading it gives.',
    resource_templates: 'Addresses with variables that the server answers.',
    'resource_templates.uriTemplate': 'The address, with variables in braces.',
    'resource_templates.name': 'What the template is called.',
    'resource_templates.description': 'What the agent reads about the template.',
    'resource_templates.mimeType': 'The kind of the content.',
    'resource_templates.content': 'What reading an address of it gives.',
    prompts: 'The prompts that the server offers.',
    'prompts.name': 'The name by which the agent asks for the prompt.',
    'prompts.description': 'What the agent reads about the prompt.',
    'prompts.arguments': 'What can be filled in.',
    elicitations: 'Questions that the server puts to the user, by way of the agent.',
    'elicitations.message': 'What the user is asked.',
    'elicitations.requestedSchema': 'The JSON Schema of the answer.',
    'elicitations.when': 'The request during which it is asked.',
  },
  mcp_client: {
    ...actions,
    ...answers('sampling_responses', 'a server that wants text from its model'),
    ...answers('elicitation_responses', 'a server that asks its user'),
    client_info: 'The name and version that the client gives itself.',
    capabilities: 'What the client says it can do.',
    'capabilities.roots': 'That it tells in which folders the server may work.',
    'capabilities.sampling': 'That it lends servers its model.',
    'capabilities.elicitation': 'That it puts questions of servers to its user.',
    roots: 'The folders that the client says the server may work in.',
  },
  a2a_server: {
    ...answers('task_responses', 'messages and tasks'),
    agent_card: 'How the agent presents itself: what others read before they send it anything.',
    'agent_card.name': 'What the agent calls itself.',
    'agent_card.description': 'What the agent says about itself; models of others read it.',
    'agent_card.url': 'Where it says it is reached; the address of the run is put there.',
    'agent_card.skills': 'What it says it can do.',
    'agent_card.capabilities': 'Streaming, push notifications and the like.',
  },
  a2a_client: actions,
  ag_ui_client: {
    ...answers('tool_responses', 'calls of the tools that it offered'),
    run_agent_input: 'The request that starts a run of the agent.',
    'run_agent_input.threadId': 'The conversation that the run belongs to.',
    'run_agent_input.runId': 'The run itself.',
    'run_agent_input.messages': 'The conversation so far, as the attacker tells it.',
    'run_agent_input.messages.role': 'Who is said to have spoken.',
    'run_agent_input.messages.content': 'What is said.',
    'run_agent_input.tools': 'Tools that the client offers to the agent.',
    'run_agent_input.context': 'What the client says about the situation; the agent reads it.',
    'run_agent_input.state': 'The state that client and agent share.',
    'run_agent_input.forwardedProps': 'What the client hands through to the agent.',
  },
}

function responsesOf(list: string): { readonly [key: string]: string } {
  return Object.fromEntries(Object.entries(responses).map(([key, text]) => [`${list}.${key}`, text]))
}

/** The clause and the sentence about a key of a state, by the path from there. */
export function stateText(mode: string, below: Path): { readonly section: string; readonly text: string } | undefined {
  const texts = Object.hasOwn(stateTexts, mode) ? stateTexts[mode] : undefined
  const key = below.filter((step) => typeof step === 'string').join('.')
  const text = texts !== undefined && Object.hasOwn(texts, key) ? texts[key] : undefined
  const binding = bindings.find(({ protocol }) => protocol === extractProtocol(mode))
  return text === undefined || binding === undefined ? undefined : { section: binding.section, text }
}
