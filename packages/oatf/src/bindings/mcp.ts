import { actionTexts, type Binding, bindingMode, type Texts } from './binding.ts'

/** The version of MCP that holds where a document sets none (§7.1). */
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

const CHANGES = 'Whether it says when that list changes.'
const RESPONSES = 'The answers to choose from; the first whose `when` fits the request is sent.'

const serverTexts: Texts = {
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
}

// biome-ignore format: a row is a line
const clientTexts: Texts = {
  client_info: 'The name and version that the client gives itself.',
  capabilities: 'What the client says it can do.',
  'capabilities.roots': 'That it says which folders the server may work in.',
  'capabilities.roots.listChanged': CHANGES,
  'capabilities.sampling': 'That it lends servers its model.',
  'capabilities.elicitation': 'That it puts questions from servers to its user.',
  ...actionTexts,
  sampling_responses: 'How the attacker answers a server that wants text from its model; the first entry whose `when` fits is sent.',
  elicitation_responses: 'How the attacker answers a server that asks its user; the first entry whose `when` fits is sent.',
  roots: 'The folders that the client says the server may work in.',
}

/** Model Context Protocol (§7.1). */
export const mcp: Binding = {
  protocol: 'mcp',
  title: 'Model Context Protocol',
  section: '§7.1',
  modes: [
    bindingMode({
      mode: 'mcp_server',
      role: 'server',
      events: [...clientRequests, ...serverRequests, ...clientNotifications],
      unlisted: serverRequests,
      stateTexts: serverTexts,
      entryActions: ['send', 'log'],
    }),
    bindingMode({
      mode: 'mcp_client',
      role: 'client',
      events: [...clientRequests, ...serverRequests, ...serverNotifications],
      stateTexts: clientTexts,
      entryActions: ['send', 'log'],
    }),
  ],
  surfaces: [...new Set([...clientRequests, ...serverRequests, ...clientNotifications, ...serverNotifications])],
}
