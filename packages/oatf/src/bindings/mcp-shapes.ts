/**
 * The messages of MCP 2025-11-25, and the additions of 2026-07-28 ([OATF §7.1.3](https://oatf.io/specification/protocol-bindings/mcp/): params, result).
 */
import type { Texts } from './binding.ts'
import {
  choice,
  constant,
  type Fields,
  fields,
  flag,
  list,
  type MessageShapes,
  number,
  oneOf,
  open,
  text,
  usualValues,
} from './shape.ts'

const meta: Fields = { _meta: open }
const role = oneOf('user', 'assistant')
const level = oneOf('debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency')
const icons = list(fields({ src: text }, { mimeType: text, sizes: list(text), theme: oneOf('light', 'dark') }))
const annotations = fields({}, { audience: list(role), priority: number, lastModified: text })
const described: Fields = { title: text, description: text, icons, ...meta }
const implementation = fields({ name: text, version: text }, { ...described, websiteUrl: text })

const embedded = choice(
  fields({ uri: text, text }, { mimeType: text, ...meta }),
  fields({ uri: text, blob: text }, { mimeType: text, ...meta }),
)
const media: Fields = { data: text, mimeType: text }
const content = choice(
  fields({ type: constant('text'), text }, { annotations, ...meta }),
  fields({ type: constant('image'), ...media }, { annotations, ...meta }),
  fields({ type: constant('audio'), ...media }, { annotations, ...meta }),
  fields(
    { type: constant('resource_link'), uri: text, name: text },
    { ...described, mimeType: text, size: number, annotations },
  ),
  fields({ type: constant('resource'), resource: embedded }, { annotations, ...meta }),
)
const sampled = choice(
  content,
  fields({ type: constant('tool_use'), id: text, name: text, input: open }, meta),
  fields(
    { type: constant('tool_result'), toolUseId: text, content: list(content) },
    { structuredContent: open, isError: flag, ...meta },
  ),
)

const tool = fields(
  { name: text, inputSchema: open },
  {
    ...described,
    outputSchema: open,
    annotations: fields(
      {},
      { title: text, readOnlyHint: flag, destructiveHint: flag, idempotentHint: flag, openWorldHint: flag },
    ),
    execution: fields({}, { taskSupport: oneOf('forbidden', 'optional', 'required') }),
  },
)
const resourceFacts: Fields = { ...described, mimeType: text, annotations }
const resource = fields({ uri: text, name: text }, { ...resourceFacts, size: number })
const template = fields({ uriTemplate: text, name: text }, resourceFacts)
const argument = fields({ name: text }, { title: text, description: text, required: flag })
const prompt = fields({ name: text }, { ...described, arguments: list(argument) })
const taskStatus = oneOf('working', 'input_required', 'completed', 'failed', 'cancelled')
const taskFields: Fields = { taskId: text, status: taskStatus, createdAt: text, lastUpdatedAt: text, ttl: number }
const taskFacts: Fields = { statusMessage: text, pollInterval: number }
const task = fields(taskFields, { ...taskFacts, ...meta })
const asTask: Fields = { task: fields({}, { ttl: number }) }
const createdTask = fields({ task }, meta)
const nothing = fields({}, meta)
const page = fields({}, { cursor: text, ...meta })
/** The result type, and the lifetime and scope for caching the result (MCP 2026-07-28). */
const typed: Fields = { resultType: usualValues('complete', 'input_required') }
const cached: Fields = { ...typed, ttlMs: number, cacheScope: oneOf('public', 'private') }
const listed = (name: string, of: Parameters<typeof list>[0]) =>
  fields({ [name]: list(of) }, { nextCursor: text, ...cached, ...meta })
const called = fields({ content: list(content) }, { structuredContent: open, isError: flag, ...typed, ...meta })
/** Input that a server requests in a result, and that the client sends when it repeats the call (MCP 2026-07-28). */
const asking = fields({ resultType: constant('input_required') }, { inputRequests: open, requestState: text, ...meta })
const repeated: Fields = { inputResponses: open, requestState: text }
const spoken = choice(sampled, list(sampled))
const stopReason = usualValues('endTurn', 'stopSequence', 'maxTokens', 'toolUse')
const created = fields({ role, content: spoken, model: text }, { stopReason, ...meta })
const elicited = fields({ action: oneOf('accept', 'decline', 'cancel') }, { content: open, ...meta })
const byUri = fields({ uri: text }, meta)
const byTask = fields({ taskId: text }, meta)
const taskUpdate = fields({ taskId: text, inputResponses: open }, meta)
const roots = fields({ roots: list(fields({ uri: text }, { name: text, ...meta })) }, meta)
const progress = fields({ progressToken: open, progress: number }, { total: number, message: text, ...meta })
const logged = fields({ level, data: open }, { logger: text, ...meta })

const clientRequest = { by: 'client', fails: true } as const
const serverRequest = { by: 'server', fails: true } as const

/** Descriptions of message fields, by name. Self-explanatory names are omitted. */
export const mcpFieldTexts: Texts = {
  _meta: 'Additional data, not defined by the protocol; not sent to models.',
  annotations: 'Optional hints for the client: audience, priority, tool behaviour.',
  arguments: 'The arguments of the call, by name.',
  audience: 'The audience: `user`, `assistant` or both.',
  blob: 'Bytes, in base64.',
  content: 'The content items, sent to the model.',
  contents: 'The contents of the resource.',
  data: 'Bytes, in base64.',
  description: 'A description for the agent and its model.',
  icons: 'Icons for user interfaces.',
  inputSchema: 'The JSON Schema of the arguments.',
  isError: 'True if the call failed; the content is still sent to the model.',
  message: 'The question to the user.',
  messages: 'The messages of the conversation.',
  mimeType: 'The MIME type of the content.',
  mode: '`form` asks for fields, `url` sends the user to a URL.',
  model: 'The model that generated the message.',
  name: 'The identifier in requests.',
  outputSchema: 'The JSON Schema of `structuredContent`.',
  requestedSchema: 'The JSON Schema of the answer.',
  resource: 'An embedded resource.',
  role: 'The claimed author, `user` or `assistant`.',
  stopReason: 'The reason why the model stopped.',
  structuredContent: "The result as data, conforming to the tool's `outputSchema`.",
  text: 'The text of the content.',
  title: 'The display name.',
  type: 'The type of the item.',
  uri: 'The URI of the resource.',
  uriTemplate: 'The URI, with variables in braces.',
  version: 'The version.',
  websiteUrl: 'The URL of the website.',
}

export const mcpShapes: readonly MessageShapes[] = [
  {
    ...clientRequest,
    surface: 'tools/call',
    request: fields({ name: text }, { arguments: open, ...repeated, ...asTask, ...meta }),
    response: choice(called, createdTask, asking),
    usual: true,
    requestText: 'arguments',
    responseText: 'content[*].text',
  },
  { ...clientRequest, surface: 'tools/list', request: page, response: listed('tools', tool), usual: true },
  {
    ...clientRequest,
    surface: 'initialize',
    request: fields({ protocolVersion: text, capabilities: open, clientInfo: implementation }, meta),
    response: fields(
      { protocolVersion: text, capabilities: open, serverInfo: implementation },
      { instructions: text, ...meta },
    ),
    usual: true,
  },
  {
    ...clientRequest,
    surface: 'server/discover',
    request: nothing,
    response: fields({ supportedVersions: list(text), capabilities: open }, { instructions: text, ...cached, ...meta }),
  },
  { ...clientRequest, surface: 'subscriptions/listen', request: fields({ notifications: open }, meta) },
  { ...clientRequest, surface: 'tasks/update', request: taskUpdate, response: fields({}, { ...typed, ...meta }) },
  { by: 'server', surface: 'notifications/subscriptions/acknowledged', request: fields({ notifications: open }, meta) },
  { by: 'server', surface: 'notifications/tasks', request: task },
  { ...clientRequest, surface: 'ping', request: nothing, response: nothing },
  { ...clientRequest, surface: 'resources/list', request: page, response: listed('resources', resource) },
  {
    ...clientRequest,
    surface: 'resources/templates/list',
    request: page,
    response: listed('resourceTemplates', template),
  },
  {
    ...clientRequest,
    surface: 'resources/read',
    request: fields({ uri: text }, { ...repeated, ...meta }),
    response: choice(fields({ contents: list(embedded) }, { ...cached, ...meta }), asking),
    responseText: 'contents[*].text',
  },
  { ...clientRequest, surface: 'resources/subscribe', request: byUri, response: nothing },
  { ...clientRequest, surface: 'resources/unsubscribe', request: byUri, response: nothing },
  { ...clientRequest, surface: 'prompts/list', request: page, response: listed('prompts', prompt) },
  {
    ...clientRequest,
    surface: 'prompts/get',
    request: fields({ name: text }, { arguments: open, ...repeated, ...meta }),
    response: choice(
      fields({ messages: list(fields({ role, content })) }, { description: text, ...typed, ...meta }),
      asking,
    ),
    requestText: 'arguments',
    responseText: 'messages[*].content.text',
  },
  {
    ...clientRequest,
    surface: 'completion/complete',
    request: fields(
      {
        ref: fields({ type: oneOf('ref/prompt', 'ref/resource') }, { name: text, title: text, uri: text }),
        argument: fields({ name: text, value: text }),
      },
      { context: fields({}, { arguments: open }), ...meta },
    ),
    response: fields({ completion: fields({ values: list(text) }, { total: number, hasMore: flag }) }, meta),
  },
  { ...clientRequest, surface: 'logging/setLevel', request: fields({ level }, meta), response: nothing },
  { by: 'either', fails: true, surface: 'tasks/get', request: byTask, response: task },
  { by: 'either', fails: true, surface: 'tasks/result', request: byTask, response: choice(called, created, elicited) },
  { by: 'either', fails: true, surface: 'tasks/list', request: page, response: listed('tasks', task) },
  { by: 'either', fails: true, surface: 'tasks/cancel', request: byTask, response: task },
  {
    ...serverRequest,
    surface: 'sampling/createMessage',
    request: fields(
      { messages: list(fields({ role, content: spoken }, meta)), maxTokens: number },
      {
        modelPreferences: fields(
          {},
          {
            hints: list(fields({}, { name: text })),
            costPriority: number,
            speedPriority: number,
            intelligencePriority: number,
          },
        ),
        systemPrompt: text,
        includeContext: oneOf('none', 'thisServer', 'allServers'),
        temperature: number,
        stopSequences: list(text),
        metadata: open,
        tools: list(tool),
        toolChoice: fields({}, { mode: oneOf('auto', 'required', 'none') }),
        ...asTask,
        ...meta,
      },
    ),
    response: choice(created, createdTask),
    requestText: 'messages[*].content.text',
    responseText: 'content.text',
  },
  {
    ...serverRequest,
    surface: 'elicitation/create',
    request: fields(
      { message: text },
      { mode: oneOf('form', 'url'), requestedSchema: open, url: text, elicitationId: text, ...asTask, ...meta },
    ),
    response: choice(elicited, createdTask),
    requestText: 'message',
    responseText: 'content',
  },
  { ...serverRequest, surface: 'roots/list', request: nothing, response: roots },
  { by: 'client', surface: 'notifications/initialized', request: nothing },
  { by: 'either', surface: 'notifications/cancelled', request: fields({}, { requestId: open, reason: text, ...meta }) },
  { by: 'either', surface: 'notifications/progress', request: progress },
  { by: 'client', surface: 'notifications/roots/list_changed', request: nothing },
  { by: 'either', surface: 'notifications/tasks/status', request: task },
  { by: 'server', surface: 'notifications/message', request: logged, requestText: 'data' },
  { by: 'server', surface: 'notifications/tools/list_changed', request: nothing },
  { by: 'server', surface: 'notifications/resources/list_changed', request: nothing },
  { by: 'server', surface: 'notifications/resources/updated', request: byUri },
  { by: 'server', surface: 'notifications/prompts/list_changed', request: nothing },
  {
    by: 'client',
    surface: 'http/page',
    request: fields({ verb: text, path: text, query: open }, { form: open, body: text }),
    response: fields({}, { status: number, headers: open, body: open }),
  },
  { by: 'server', surface: 'notifications/elicitation/complete', request: fields({ elicitationId: text }, meta) },
]
