/** The methods of an MCP server, one row each. Whatever is not here is unknown (−32601). */
import { filledResult, type Method } from '../call.ts'
import { type ListKey, listed } from '../definitions.ts'
import { initialize } from './initialize.ts'
import { getPrompt } from './prompts.ts'
import { readResource } from './resources.ts'
import { callTool } from './tools.ts'

/** Answers that say only that the request was taken in. */
const done: Method = () => ({ result: {} })

const list =
  (name: string, key: ListKey): Method =>
  (call) =>
    filledResult(call, { [name]: listed(call, key) })

export const methods: ReadonlyMap<string, Method> = new Map<string, Method>([
  ['initialize', initialize],
  ['ping', done],
  ['tools/list', list('tools', 'tools')],
  ['tools/call', callTool],
  ['resources/list', list('resources', 'resources')],
  ['resources/templates/list', list('resourceTemplates', 'resource_templates')],
  ['resources/read', readResource],
  ['resources/subscribe', done],
  ['resources/unsubscribe', done],
  ['prompts/list', list('prompts', 'prompts')],
  ['prompts/get', getPrompt],
  ['completion/complete', () => ({ result: { completion: { values: [], total: 0, hasMore: false } } })],
  ['logging/setLevel', done],
])
