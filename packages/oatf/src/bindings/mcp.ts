import { actionTexts, type Binding, bindingMode, headerTexts, type Texts } from './binding.ts'

/** The default version of MCP ([OATF §7.1](https://oatf.io/specification/protocol-bindings/mcp/)). */
export const DEFAULT_MCP_VERSION = '2025-11-25'

/** Requests that a client may send (MCP 2025-11-25). */
const clientRequests = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'tasks/get',
  'tasks/result',
  'tasks/list',
  'tasks/cancel',
] as const

/** Requests and notifications added by MCP 2026-07-28, which OATF does not list. */
const modernRequests = ['server/discover', 'subscriptions/listen', 'tasks/update'] as const
const modernNotifications = ['notifications/subscriptions/acknowledged', 'notifications/tasks'] as const

/** A Joust extension that only a server receives: requests for the server's HTTP pages. */
const PAGE = 'http/page'

/** Requests that a server may send. A server actor receives the responses under the same names. */
const serverRequests = ['sampling/createMessage', 'elicitation/create', 'roots/list'] as const

const clientNotifications = [
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
] as const

const serverNotifications = [
  'notifications/cancelled',
  'notifications/progress',
  'notifications/message',
  'notifications/tools/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
  'notifications/prompts/list_changed',
  'notifications/tasks/status',
  'notifications/elicitation/complete',
] as const

const CHANGES = 'True if a notification is sent when the list changes.'
const RESPONSES = 'The response entries; the first one whose `when` matches is sent.'

const serverTexts: Texts = {
  protocol_version: 'The protocol version that the server reports.',
  server_info: 'The name and version of the server.',
  instructions: "The server's instructions for the agent, sent on connection.",
  capabilities: 'The declared server capabilities.',
  'capabilities.tools': 'The server has tools.',
  'capabilities.tools.listChanged': CHANGES,
  'capabilities.resources': 'The server has resources.',
  'capabilities.resources.listChanged': CHANGES,
  'capabilities.resources.subscribe': 'True if a notification is sent when a subscribed resource changes.',
  'capabilities.prompts': 'The server has prompts.',
  'capabilities.prompts.listChanged': CHANGES,
  'capabilities.logging': 'The server sends log messages.',
  'capabilities.completions': 'The server completes arguments.',
  tools: "The server's tools. Descriptions and responses can contain injections.",
  'tools.responses': RESPONSES,
  resources: 'The resources of the server.',
  'resources.content': 'The content of the resource.',
  resource_templates: 'Resource templates: URIs with variables.',
  'resource_templates.content': 'The content of the matching resources.',
  prompts: 'The prompts of the server.',
  'prompts.arguments': 'The arguments of the prompt.',
  'prompts.responses': RESPONSES,
  elicitations: 'Questions to the user, sent through the agent.',
  'elicitations.when': 'The request during which the question is sent.',
  ...headerTexts,
  'tools.responses.x-joust-overlay':
    'A Joust extension: with `--through`, inserts the text into the real response: `append`, `replace`, or `field` and a path.',
  'x-joust-cache': 'A Joust extension: cache lifetime and scope of results (MCP 2026-07-28).',
  'x-joust-cache.ttlMs': 'The time in milliseconds.',
  'x-joust-cache.cacheScope': 'The caches that may store the result: `public` or `private`.',
  'x-joust-pages': 'A Joust extension: additional HTTP pages, such as OAuth metadata; the first match is sent.',
  'x-joust-pages.path': "The path below the actor's URL.",
  'x-joust-pages.when': 'Paths and conditions that the request must match.',
  'x-joust-pages.content': 'The response; templates are interpolated.',
  'x-joust-pages.content.status': 'The HTTP status, 200 by default.',
  'x-joust-pages.content.headers': 'The headers.',
  'x-joust-pages.content.body': 'The body; any value but a string is sent as JSON.',
}

// biome-ignore format: a row is a line
const clientTexts: Texts = {
  protocol_version: 'A Joust extension: the protocol version that the client requests.',
  client_info: 'The name and version of the client.',
  capabilities: 'The declared client capabilities.',
  'capabilities.roots': 'The client lists its roots.',
  'capabilities.roots.listChanged': CHANGES,
  'capabilities.sampling': 'The client answers sampling requests with its model.',
  'capabilities.elicitation': 'The client forwards questions to its user.',
  ...actionTexts,
  sampling_responses: 'The responses to sampling requests; the first entry whose `when` matches is sent.',
  elicitation_responses: 'The responses to elicitation requests; the first entry whose `when` matches is sent.',
  roots: 'The roots of the client.',
  ...headerTexts,
}

/** Model Context Protocol (OATF §7.1). */
export const mcp: Binding = {
  protocol: 'mcp',
  title: 'Model Context Protocol',
  section: '§7.1',
  modes: [
    bindingMode({
      mode: 'mcp_server',
      role: 'server',
      events: [...clientRequests, ...serverRequests, ...clientNotifications, ...modernRequests, PAGE],
      unlisted: [...serverRequests, ...modernRequests, PAGE],
      stateTexts: serverTexts,
      entryActions: ['send', 'log'],
    }),
    bindingMode({
      mode: 'mcp_client',
      role: 'client',
      events: [...clientRequests, ...serverRequests, ...serverNotifications, ...modernRequests, ...modernNotifications],
      unlisted: [...modernRequests, ...modernNotifications],
      stateTexts: clientTexts,
      entryActions: ['send', 'log'],
    }),
  ],
  surfaces: [
    ...new Set([...clientRequests, ...serverRequests, ...clientNotifications, ...serverNotifications]),
    ...modernRequests,
    ...modernNotifications,
    PAGE,
  ],
}
