import type { Binding } from './binding.ts'

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

/** Model Context Protocol (§7.1). */
export const mcp: Binding = {
  protocol: 'mcp',
  title: 'Model Context Protocol',
  section: '§7.1',
  modes: [
    {
      mode: 'mcp_server',
      role: 'server',
      events: [...clientRequests, ...serverRequests, ...clientNotifications],
      stateKeys: [
        'protocol_version',
        'server_info',
        'instructions',
        'capabilities',
        'tools',
        'resources',
        'resource_templates',
        'prompts',
        'elicitations',
      ],
      entryActions: ['send', 'log'],
    },
    {
      mode: 'mcp_client',
      role: 'client',
      events: [...clientRequests, ...serverRequests, ...serverNotifications],
      stateKeys: ['client_info', 'capabilities', 'actions', 'sampling_responses', 'elicitation_responses', 'roots'],
      entryActions: ['send', 'log'],
    },
  ],
  surfaces: [...new Set([...clientRequests, ...serverRequests, ...clientNotifications, ...serverNotifications])],
}
