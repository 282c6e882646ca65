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

/** Requests and notifications that MCP 2026-07-28 adds, which OATF does not list. */
const modernRequests = ['server/discover', 'subscriptions/listen', 'tasks/update'] as const
const modernNotifications = ['notifications/subscriptions/acknowledged', 'notifications/tasks'] as const

/** A Joust extension, which only a server sees: requests for its pages. */
const PAGE = 'http/page'

/** Requests that a server may send; a server actor sees the replies under the same names. */
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

const CHANGES = 'True if it sends a notification when the list changes.'
const RESPONSES = 'The response entries; the first whose `when` matches the request is sent.'

const serverTexts: Texts = {
  protocol_version: 'The protocol version that the server reports.',
  server_info: 'The name and version of the server.',
  instructions: 'The instructions of the server for the agent, sent on connection.',
  capabilities: 'The declared capabilities of the server.',
  'capabilities.tools': 'The server has tools.',
  'capabilities.tools.listChanged': CHANGES,
  'capabilities.resources': 'The server has resources.',
  'capabilities.resources.listChanged': CHANGES,
  'capabilities.resources.subscribe': 'True if it sends a notification when a subscribed resource changes.',
  'capabilities.prompts': 'The server has prompts.',
  'capabilities.prompts.listChanged': CHANGES,
  'capabilities.logging': 'The server sends log messages.',
  'capabilities.completions': 'The server completes arguments.',
  tools: 'The tools of the server; put injections into descriptions and responses.',
  'tools.responses': RESPONSES,
  resources: 'The resources of the server.',
  'resources.content': 'The content of the resource.',
  resource_templates: 'The resource templates of the server: URIs with variables.',
  'resource_templates.content': 'The content of the matching resources.',
  prompts: 'The prompts of the server.',
  'prompts.arguments': 'The arguments of the prompt.',
  'prompts.responses': RESPONSES,
  elicitations: 'Questions to the user, sent through the agent.',
  'elicitations.when': 'The request during which the question is sent.',
  ...headerTexts,
  'tools.responses.x-joust-overlay':
    'A Joust extension: with `--through`, lays the text into the real response: `append`, `replace`, or `field` and a path.',
  'x-joust-cache': 'A Joust extension: how long and for whom results may be cached (MCP 2026-07-28).',
  'x-joust-cache.ttlMs': 'The time in milliseconds.',
  'x-joust-cache.cacheScope': 'The caches that may store the result: `public` or `private`.',
  'x-joust-pages': 'A Joust extension: pages beside MCP, such as the metadata of OAuth; the first match is sent.',
  'x-joust-pages.path': 'The path below the address of the actor.',
  'x-joust-pages.when': 'Paths and conditions that the request must match.',
  'x-joust-pages.content': 'The answer; templates are interpolated.',
  'x-joust-pages.content.status': 'The HTTP status, 200 by default.',
  'x-joust-pages.content.headers': 'The headers.',
  'x-joust-pages.content.body': 'The body; anything but a text is sent as JSON.',
}

// biome-ignore format: a row is a line
const clientTexts: Texts = {
  protocol_version: 'A Joust extension: the protocol version that the client asks for.',
  client_info: 'The name and version of the client.',
  capabilities: 'The declared capabilities of the client.',
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
