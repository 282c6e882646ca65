/**
 * The messages of A2A 0.3.0 ([OATF §7.2.3](https://oatf.io/specification/protocol-bindings/a2a/): params, result,
 * streamed item, Agent Card).
 */
import { TEXTS } from './a2a-texts.ts'
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
  type Shape,
  text,
  usualValues,
} from './shape.ts'

const metadata: Fields = { metadata: open }
/** All texts in a response, for indicators whose target contains this key. */
const texts: Fields = { [TEXTS]: list(text) }
const fileFacts: Fields = { name: text, mimeType: text }
const part = choice(
  fields({ kind: constant('text'), text }, metadata),
  fields(
    { kind: constant('file'), file: choice(fields({ bytes: text }, fileFacts), fields({ uri: text }, fileFacts)) },
    metadata,
  ),
  fields({ kind: constant('data'), data: open }, metadata),
)
const message = fields(
  { kind: constant('message'), messageId: text, role: oneOf('user', 'agent'), parts: list(part) },
  { contextId: text, taskId: text, referenceTaskIds: list(text), extensions: list(text), ...metadata },
)
const artifact = fields(
  { artifactId: text, parts: list(part) },
  { name: text, description: text, extensions: list(text), ...metadata },
)
const states = oneOf(
  'submitted',
  'working',
  'input-required',
  'completed',
  'canceled',
  'failed',
  'rejected',
  'auth-required',
  'unknown',
)
const status = fields({ state: states }, { message, timestamp: text })
const task = fields(
  { kind: constant('task'), id: text, contextId: text, status },
  { artifacts: list(artifact), history: list(message), ...metadata },
)
const statusUpdate = fields(
  { kind: constant('status-update'), taskId: text, contextId: text, status, final: flag },
  metadata,
)
const artifactUpdate = fields(
  { kind: constant('artifact-update'), taskId: text, contextId: text, artifact },
  { append: flag, lastChunk: flag, ...metadata },
)

const security: Fields = { security: list(open) }
const skill = fields(
  { id: text, name: text, description: text, tags: list(text) },
  { examples: list(text), inputModes: list(text), outputModes: list(text), ...security },
)
const capabilities = fields(
  {},
  {
    streaming: flag,
    pushNotifications: flag,
    stateTransitionHistory: flag,
    extensions: list(fields({ uri: text }, { description: text, required: flag, params: open })),
  },
)
const transport = usualValues('JSONRPC', 'GRPC', 'HTTP+JSON')
const card = fields(
  {
    name: text,
    description: text,
    url: text,
    version: text,
    protocolVersion: text,
    capabilities,
    defaultInputModes: list(text),
    defaultOutputModes: list(text),
    skills: list(skill),
  },
  {
    additionalInterfaces: list(fields({ url: text, transport })),
    documentationUrl: text,
    iconUrl: text,
    preferredTransport: transport,
    provider: fields({ organization: text, url: text }),
    securitySchemes: open,
    signatures: list(fields({ protected: text, signature: text }, { header: open })),
    supportsAuthenticatedExtendedCard: flag,
    ...security,
  },
)

const pushConfig = fields(
  { url: text },
  { id: text, token: text, authentication: fields({ schemes: list(text) }, { credentials: text }) },
)
const taskConfig = fields({ taskId: text, pushNotificationConfig: pushConfig })
const configuration = fields(
  {},
  { acceptedOutputModes: list(text), blocking: flag, historyLength: number, pushNotificationConfig: pushConfig },
)
const sending = fields({ message }, { configuration, ...metadata })
const byTask = fields({ id: text }, metadata)
const query = fields({ id: text }, { historyLength: number, ...metadata })
const byConfig = fields({ id: text }, { pushNotificationConfigId: text, ...metadata })
const nothing = fields({})
const withTexts = (shape: Shape): Shape =>
  shape.kind === 'fields' ? { ...shape, optional: { ...shape.optional, ...texts } } : shape
const answer = choice(withTexts(task), withTexts(message))
const streamed = choice(withTexts(task), withTexts(message), withTexts(statusUpdate), withTexts(artifactUpdate))
const responseText = 'artifacts[*].parts[*].text'
const written = { requestText: 'message.parts[*].text', responseText } as const
const clientRequest = { by: 'client', fails: true } as const

/** Descriptions of message fields, by name. Self-explanatory names are omitted. */
export const a2aFieldTexts: Texts = {
  artifactId: 'The id of the artifact within its task.',
  artifacts: 'The results of the task.',
  capabilities: 'Optional features, such as streaming and push notifications.',
  configuration: 'Options for the response.',
  acceptedOutputModes: 'Content types that the sender accepts.',
  blocking: 'True if the sender waits until the task is completed.',
  contextId: 'The id of the conversation.',
  data: 'Arbitrary JSON data.',
  defaultInputModes: 'Content types that the agent accepts.',
  defaultOutputModes: 'Content types that the agent returns.',
  description: 'A description for other agents and their models.',
  examples: 'Example prompts for the skill.',
  file: 'A file, as bytes or by URI.',
  history: 'Earlier messages of the task.',
  id: 'The id.',
  kind: 'The type of a message, task, update or part.',
  message: 'The message.',
  messageId: 'The id of the message, generated by its sender.',
  metadata: 'Additional data, not defined by the protocol.',
  name: 'The name.',
  parts: 'The content parts.',
  protocolVersion: 'The A2A version that the agent uses.',
  role: 'The sender: `user` sends requests, `agent` responds.',
  skills: 'The advertised skills.',
  state: 'The task state: `submitted`, `working`, `input-required`, `completed`, `failed` and others.',
  status: 'The task state, with an optional message.',
  tags: 'Keywords for the skill.',
  taskId: 'The id of the task.',
  text: 'The text of the part.',
  timestamp: 'The time of the status.',
  url: 'The URL of the agent.',
  version: 'The version of the agent.',
}

export const a2aShapes: readonly MessageShapes[] = [
  { ...clientRequest, ...written, surface: 'message/send', request: sending, response: answer, usual: true },
  { ...clientRequest, ...written, surface: 'message/stream', request: sending, response: streamed },
  { ...clientRequest, surface: 'tasks/get', request: query, response: withTexts(task), responseText },
  {
    ...clientRequest,
    surface: 'tasks/list',
    request: fields(
      {},
      {
        contextId: text,
        status: states,
        pageSize: number,
        pageToken: text,
        historyLength: number,
        lastUpdatedAfter: open,
        includeArtifacts: flag,
        ...metadata,
      },
    ),
    response: withTexts(fields({ tasks: list(task) }, { totalSize: number, pageSize: number, nextPageToken: text })),
  },
  { ...clientRequest, surface: 'tasks/cancel', request: byTask, response: task },
  { ...clientRequest, surface: 'tasks/resubscribe', request: byTask, response: streamed },
  { ...clientRequest, surface: 'tasks/pushNotificationConfig/set', request: taskConfig, response: taskConfig },
  { ...clientRequest, surface: 'tasks/pushNotificationConfig/get', request: byConfig, response: taskConfig },
  { ...clientRequest, surface: 'tasks/pushNotificationConfig/list', request: byTask, response: list(taskConfig) },
  {
    ...clientRequest,
    surface: 'tasks/pushNotificationConfig/delete',
    request: fields({ id: text, pushNotificationConfigId: text }, metadata),
    response: nothing,
  },
  { ...clientRequest, surface: 'agent/getAuthenticatedExtendedCard', request: nothing, response: card },
  {
    by: 'client',
    surface: 'agent_card/get',
    request: nothing,
    response: card,
    usual: true,
    responseText: 'skills[*].description',
  },
  {
    by: 'client',
    surface: 'task/status',
    response: withTexts(statusUpdate),
    responseText: 'status.message.parts[*].text',
  },
  {
    by: 'client',
    surface: 'task/artifact',
    response: withTexts(artifactUpdate),
    responseText: 'artifact.parts[*].text',
  },
  { by: 'client', surface: 'task/push', request: streamed, requestText: responseText },
  { by: 'client', surface: 'agent_card/keys', request: nothing, response: fields({ keys: list(open) }) },
]
