/** The methods of an MCP server, one row each. Whatever is not here is unknown (−32601). */
import type { Method } from '../call.ts'
import { listed } from '../definitions.ts'
import { initialize } from './initialize.ts'
import { getPrompt } from './prompts.ts'
import { readResource } from './resources.ts'
import { callTool } from './tools.ts'

/** Answers that say only that the request was taken in. */
const done: Method = () => ({ result: {} })

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', done],
  ['tools/list', (call) => ({ result: { tools: listed(call, 'tools') } })],
  ['tools/call', callTool],
  ['resources/list', (call) => ({ result: { resources: listed(call, 'resources') } })],
  ['resources/templates/list', (call) => ({ result: { resourceTemplates: listed(call, 'resource_templates') } })],
  ['resources/read', readResource],
  ['resources/subscribe', done],
  ['resources/unsubscribe', done],
  ['prompts/list', (call) => ({ result: { prompts: listed(call, 'prompts') } })],
  ['prompts/get', getPrompt],
  ['completion/complete', () => ({ result: { completion: { values: [], total: 0, hasMore: false } } })],
  ['logging/setLevel', done],
])
