/** What the fields of protocol messages and the words of JSON Schema are for: other specifications define them. */
// biome-ignore format: a row is a line
const messageTexts: { readonly [protocol: string]: { readonly [field: string]: string } } = {
  mcp: {
    _meta: 'What the protocol leaves to both sides; models do not see it.',
    annotations: 'Hints for the client: for whom it is, how important, how a tool behaves. Nobody has to keep them.',
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
    model: 'The model that has answered.',
    name: 'The name by which it is asked for.',
    outputSchema: 'The JSON Schema of `structuredContent`.',
    requestedSchema: 'The JSON Schema of the answer.',
    resource: 'A resource that comes with the message.',
    role: 'Who is said to have spoken, `user` or `assistant`.',
    stopReason: 'Why the model has stopped.',
    structuredContent: 'The answer as data, by the `outputSchema` of the tool.',
    text: 'The words; models read them.',
    title: 'What people are shown in place of the name.',
    type: 'What kind of item it is.',
    uri: 'The address of the resource.',
    version: 'Its version, as it says itself.',
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
    examples: 'Prompts that the skill is for.',
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
    state: 'How far the task is: `submitted`, `working`, `input-required`, `completed`, `failed` and so on.',
    status: 'How far the task is, and what is said about it.',
    tags: 'Words to find the skill by.',
    taskId: 'The task that it belongs to.',
    text: 'The words; models read them.',
    timestamp: 'When it was so.',
    url: 'Where the agent is reached.',
    version: 'The version of the agent, as it says itself.',
  },
  ag_ui: {
    content: 'What is said.',
    context: 'What the client says about the situation; models read it.',
    description: 'What the agent reads about it, and its model with it.',
    forwardedProps: 'What the client hands through to the agent.',
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

/** The sentence about a field of a message; empty where its name has to do. */
export function messageText(protocol: string, field: string): string {
  const texts = Object.hasOwn(messageTexts, protocol) ? messageTexts[protocol] : undefined
  return texts !== undefined && Object.hasOwn(texts, field) ? (texts[field] ?? '') : ''
}

// biome-ignore format: a row is a line
const keywords: { readonly [keyword: string]: string } = {
  type: 'What kind of value it is.',
  properties: 'The fields of an object, each with a schema of its own.',
  required: 'The fields that have to be there.',
  items: 'The schema of every item of a list.',
  enum: 'The values that are allowed, and no others.',
  const: 'The only value that is allowed.',
  title: 'What people call it.',
  description: 'What it is for; models read it.',
  default: 'What is taken where nothing is given.',
  examples: 'Values that would do.',
  format: 'What a text stands for: a date, an address and the like.',
  pattern: 'A regular expression that the text has to match.',
  minLength: 'The least number of characters.',
  maxLength: 'The greatest number of characters.',
  minimum: 'The least number that is allowed.',
  maximum: 'The greatest number that is allowed.',
  exclusiveMinimum: 'The number has to be greater than this.',
  exclusiveMaximum: 'The number has to be less than this.',
  multipleOf: 'The number is a multiple of this.',
  minItems: 'The least number of items.',
  maxItems: 'The greatest number of items.',
  uniqueItems: 'Whether no item may come twice.',
  additionalProperties: 'Whether other fields may be there, or the schema that they have.',
  oneOf: 'Exactly one of these schemas has to hold.',
  anyOf: 'At least one of these schemas has to hold.',
  allOf: 'All of these schemas have to hold.',
  not: 'This schema must not hold.',
  $ref: 'A schema that stands elsewhere.',
  $defs: 'Schemas to refer to.',
}

/** The keywords of JSON Schema that are offered. */
export const schemaKeywords: readonly string[] = Object.keys(keywords)

/** The keys of messages under which JSON Schemas stand. */
export const SCHEMA_KEYS: ReadonlySet<unknown> = new Set([
  'inputSchema',
  'outputSchema',
  'requestedSchema',
  'parameters',
])

/** What a key within a JSON Schema is; `keys` lead there from the schema. */
export function schemaText(keys: readonly (string | number)[]): string | undefined {
  const key = keys.at(-1)
  if (typeof key !== 'string') return undefined
  if (isSchema(keys.slice(0, -1))) return Object.hasOwn(keywords, key) ? keywords[key] : undefined
  return keys.at(-2) === 'properties' && isSchema(keys.slice(0, -2)) ? 'A field that the schema describes.' : undefined
}

/** Whether keys lead from a schema to a schema. */
export function isSchema(keys: readonly (string | number)[]): boolean {
  let expected: 'schema' | 'names' | 'list' = 'schema'
  for (const key of keys) {
    if (expected !== 'schema') expected = 'schema'
    else if (key === 'properties' || key === '$defs') expected = 'names'
    else if (key === 'oneOf' || key === 'anyOf' || key === 'allOf') expected = 'list'
    else if (key !== 'items' && key !== 'not' && key !== 'additionalProperties') return false
  }
  return expected === 'schema'
}
