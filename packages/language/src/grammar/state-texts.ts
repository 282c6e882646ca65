/** What the keys of a state and the fields of protocol messages are for: bindings and other specifications define them. */
import { type BindingMode, bindings, extractProtocol } from '@joust/oatf/vocabulary'
import { own, ownText, type Path } from '@joust/source'

const actions = {
  actions: 'The requests that the attacker sends, one after the other.',
  'actions.method': 'The method of the request.',
  'actions.params': 'What the request holds; templates are filled in.',
} as const

const CHANGES = 'Whether it says when that list changes.'
const RESPONSES = 'The answers to choose from; the first whose `when` fits the request is sent.'

// biome-ignore format: a row is a line
const stateTexts: { readonly [mode: string]: { readonly [key: string]: string } } = {
  mcp_server: {
    protocol_version: 'The version of the protocol that the server says it speaks.',
    server_info: 'The name and version that the server gives itself.',
    instructions: 'What the server tells the agent about its use, before anything is asked.',
    capabilities: 'What the server says it can do.',
    'capabilities.tools': 'That it has tools.',
    'capabilities.tools.listChanged': CHANGES,
    'capabilities.resources': 'That it has resources.',
    'capabilities.resources.listChanged': CHANGES,
    'capabilities.resources.subscribe': 'Whether it says when a resource that is subscribed to changes.',
    'capabilities.prompts': 'That it has prompts.',
    'capabilities.prompts.listChanged': CHANGES,
    'capabilities.logging': 'That it sends log messages.',
    'capabilities.completions': 'That it completes arguments.',
    tools: 'The tools that the server offers; descriptions and answers are where injections go.',
    'tools.responses': RESPONSES,
    resources: 'The resources that the server offers.',
    'resources.content': 'What reading it returns.',
    resource_templates: 'Addresses with variables that the server answers.',
    'resource_templates.content': 'What reading such an address returns.',
    prompts: 'The prompts that the server offers.',
    'prompts.arguments': 'What can be filled in.',
    'prompts.responses': RESPONSES,
    elicitations: 'Questions that the server puts to the user, by way of the agent.',
    'elicitations.when': 'The request during which it is asked.',
  },
  mcp_client: {
    ...actions,
    sampling_responses: 'How the attacker answers a server that wants text from its model; the first entry whose `when` fits is sent.',
    elicitation_responses: 'How the attacker answers a server that asks its user; the first entry whose `when` fits is sent.',
    client_info: 'The name and version that the client gives itself.',
    capabilities: 'What the client says it can do.',
    'capabilities.roots': 'That it says which folders the server may work in.',
    'capabilities.roots.listChanged': CHANGES,
    'capabilities.sampling': 'That it lends servers its model.',
    'capabilities.elicitation': 'That it puts questions from servers to its user.',
    roots: 'The folders that the client says the server may work in.',
  },
  a2a_server: {
    task_responses: 'How the attacker answers messages and tasks; the first entry whose `when` fits is sent.',
    agent_card: 'How the agent presents itself: what others read before they send it anything.',
    'agent_card.url': 'Where it says it can be reached; the address of the run is put there.',
  },
  a2a_client: actions,
  ag_ui_client: {
    tool_responses: 'How the attacker answers calls of the tools that it offered; the first entry whose `when` fits is sent.',
    run_agent_input: 'The request that starts a run of the agent.',
  },
} satisfies Record<BindingMode['mode'], { readonly [key: string]: string }>

/** The keys of an answer are the same in every mode, but that of a prompt is a message itself. */
const answerTexts: { readonly [key: string]: string } = {
  when: 'What the request has to hold for this answer: paths and conditions. An answer without it always fits.',
  content: 'What is sent, in the words of the protocol; templates are filled in.',
  'x-joust-during': 'A Joust extension: messages that are sent before the answer, on the same stream.',
  'x-joust-during.send': 'Sends a message of the protocol.',
  'x-joust-during.send.method': 'The method of the message.',
  'x-joust-during.send.params': 'What the message holds.',
}

/** The sentence about a key of a state, by the path from the state; for a field of a message, see `messageText`. */
export function stateText(mode: string, below: Path): string | undefined {
  const keys = below.filter((step) => typeof step === 'string')
  return ownText(own(stateTexts, mode), keys.join('.')) ?? ownText(answerTexts, keysOfAnswer(keys)?.join('.') ?? '')
}

/** The keys of a mapping in a state that there is a sentence about. */
export function stateKeysBelow(mode: string, below: Path): string[] {
  const keys = below.filter((step) => typeof step === 'string')
  const inAnswer = typeof below.at(-1) === 'number' || keys.at(-1) === 'send' ? keysOfAnswer(keys) : undefined
  const answers = inAnswer === undefined ? [] : keysAfter(answerTexts, inAnswer)
  return [
    ...keysAfter(stateTexts[mode] ?? {}, keys),
    ...answers.filter((key) => key !== 'content' || keys[0] !== 'prompts'),
  ]
}

/** The next keys on the ways of a table that begin with some keys. */
function keysAfter(texts: { readonly [way: string]: string }, keys: readonly string[]): string[] {
  const start = keys.map((key) => `${key}.`).join('')
  return Object.keys(texts).flatMap((way) => {
    const rest = way.startsWith(start) ? way.slice(start.length) : ''
    return rest === '' || rest.includes('.') ? [] : [rest]
  })
}

/** The keys from an answer on; undefined where there is none. */
function keysOfAnswer(keys: readonly string[]): string[] | undefined {
  const list = keys.findLastIndex((key) => /(?:^|_)responses$/.test(key))
  return list < 0 ? undefined : keys.slice(list + 1)
}

/** The clause about the states and messages of a mode. */
export function sectionOf(mode: string): string {
  return bindings.find(({ protocol }) => protocol === extractProtocol(mode))?.section ?? ''
}

// biome-ignore format: a row is a line
const messageTexts: { readonly [protocol: string]: { readonly [field: string]: string } } = {
  mcp: {
    _meta: 'What the protocol leaves to both sides; models do not see it.',
    annotations: 'Hints for the client: for whom it is, how important, how a tool behaves. Nobody has to follow them.',
    arguments: 'The arguments of the call, by name.',
    audience: 'For whom it is: `user`, `assistant` or both.',
    blob: 'Bytes, in base64.',
    content: 'What is said, one item after the other; models read it.',
    contents: 'What the resource holds.',
    data: 'Bytes, in base64.',
    description: 'What the agent reads about it, and its model with it.',
    icons: 'Pictures for people.',
    inputSchema: 'The JSON Schema of the arguments.',
    isError: 'Whether the call failed; the model reads the content all the same.',
    message: 'What the user is asked.',
    messages: 'The conversation, one message after the other.',
    mimeType: 'The kind of the content.',
    mode: '`form` asks for fields, `url` sends the user to an address.',
    model: 'The model that answered.',
    name: 'The name by which it is asked for.',
    outputSchema: 'The JSON Schema of `structuredContent`.',
    requestedSchema: 'The JSON Schema of the answer.',
    resource: 'A resource that comes with the message.',
    role: 'Who is said to have spoken, `user` or `assistant`.',
    stopReason: 'Why the model stopped.',
    structuredContent: 'The answer as data, as the `outputSchema` of the tool describes it.',
    text: 'The words; models read them.',
    title: 'What people are shown in place of the name.',
    type: 'What kind of item it is.',
    uri: 'The address of the resource.',
    uriTemplate: 'The address, with variables in braces.',
    version: 'Its version, as it reports it.',
    websiteUrl: 'Where people can read more.',
  },
  a2a: {
    artifactId: 'The id of the artifact within its task.',
    artifacts: 'What the task has produced.',
    capabilities: 'Streaming, push notifications and the like.',
    configuration: 'How the sender wants to be answered.',
    acceptedOutputModes: 'The kinds of content that the sender takes.',
    blocking: 'Whether the sender waits until the task is done.',
    contextId: 'The conversation that it belongs to.',
    data: 'Anything, as JSON.',
    defaultInputModes: 'The kinds of content that the agent takes.',
    defaultOutputModes: 'The kinds of content that the agent gives.',
    description: 'What others read about it, and their models with it.',
    examples: 'Example prompts for the skill.',
    file: 'A file, as bytes or by its address.',
    history: 'The messages of the task so far.',
    id: 'Its id.',
    kind: 'What it is: a message, a task, an update, or the kind of a part.',
    message: 'What is said.',
    messageId: 'The id of the message, made by its sender.',
    metadata: 'What the protocol leaves to both sides.',
    name: 'What it is called.',
    parts: 'What is said, one part after the other.',
    protocolVersion: 'The version of A2A that the agent speaks.',
    role: 'Who speaks: `user` is the side that asks, `agent` the one that answers.',
    skills: 'What the agent says it can do.',
    state: 'How far along the task is: `submitted`, `working`, `input-required`, `completed`, `failed` and so on.',
    status: 'How far along the task is, and what is said about it.',
    tags: 'Words to find the skill by.',
    taskId: 'The task that it belongs to.',
    text: 'The words; models read them.',
    timestamp: 'When that was the status.',
    url: 'Where the agent can be reached.',
    version: 'The version of the agent, as it reports it.',
  },
  ag_ui: {
    content: 'What is said.',
    context: 'What the client says about the situation; models read it.',
    description: 'What the agent reads about it, and its model with it.',
    forwardedProps: 'What the client passes through to the agent.',
    id: 'Its id.',
    messages: 'The conversation so far, as the client tells it.',
    name: 'What it is called.',
    parameters: 'The JSON Schema of the arguments.',
    role: 'Who is said to have spoken: `user`, `assistant`, `system`, `developer` or `tool`.',
    runId: 'The run itself.',
    state: 'The state that client and agent share.',
    threadId: 'The conversation that the run belongs to.',
    toolCallId: 'The call that a tool answers.',
    toolCalls: 'The calls that the assistant is said to have made.',
    tools: 'Tools that the client offers to the agent.',
    value: 'What is said about it.',
  },
}

/** The sentence about a field of a message; undefined where its name says enough. */
export function messageText(mode: string, field: string): string | undefined {
  return ownText(own(messageTexts, extractProtocol(mode)), field)
}
