/** The messages of A2A 0.3.0 (§7.2.3: params, result, streamed item, Agent Card). */
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
  usually,
} from './shape.ts'

const metadata: Fields = { metadata: open }
/** Everything that an answer says, put beside it for indicators that name it. */
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
const transport = usually('JSONRPC', 'GRPC', 'HTTP+JSON')
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
const nothing = fields({})
const told = (shape: Shape): Shape =>
  shape.kind === 'fields' ? { ...shape, optional: { ...shape.optional, ...texts } } : shape
const answer = choice(told(task), told(message))
const streamed = choice(told(task), told(message), told(statusUpdate), told(artifactUpdate))
const written = { requestText: 'message.parts[*].text', responseText: 'artifacts[*].parts[*].text' } as const
const asked = { by: 'client', fails: true } as const

/** What fields of the messages are for, by their names; those whose name says enough are left out. */
export const a2aFieldTexts: Texts = {
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
}

/** Each operation with what its messages can hold. */
export const a2aShapes: readonly MessageShapes[] = [
  {
    ...asked,
    ...written,
    surface: 'message/send',
    request: sending,
    response: answer,
    usual: true,
  },
  { ...asked, ...written, surface: 'message/stream', request: sending, response: streamed },
  {
    ...asked,
    surface: 'tasks/get',
    request: fields({ id: text }, { historyLength: number, ...metadata }),
    response: told(task),
    responseText: written.responseText,
  },
  {
    ...asked,
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
    response: told(fields({ tasks: list(task) }, { totalSize: number, pageSize: number, nextPageToken: text })),
  },
  { ...asked, surface: 'tasks/cancel', request: byTask, response: task },
  { ...asked, surface: 'tasks/resubscribe', request: byTask, response: streamed },
  { ...asked, surface: 'tasks/pushNotificationConfig/set', request: taskConfig, response: taskConfig },
  {
    ...asked,
    surface: 'tasks/pushNotificationConfig/get',
    request: fields({ id: text }, { pushNotificationConfigId: text, ...metadata }),
    response: taskConfig,
  },
  { ...asked, surface: 'tasks/pushNotificationConfig/list', request: byTask, response: list(taskConfig) },
  {
    ...asked,
    surface: 'tasks/pushNotificationConfig/delete',
    request: fields({ id: text, pushNotificationConfigId: text }, metadata),
    response: nothing,
  },
  { ...asked, surface: 'agent/getAuthenticatedExtendedCard', request: nothing, response: card },
  {
    by: 'client',
    surface: 'agent_card/get',
    request: nothing,
    response: card,
    usual: true,
    responseText: 'skills[*].description',
  },
  { by: 'client', surface: 'task/status', response: told(statusUpdate), responseText: 'status.message.parts[*].text' },
  { by: 'client', surface: 'task/artifact', response: told(artifactUpdate), responseText: 'artifact.parts[*].text' },
]
