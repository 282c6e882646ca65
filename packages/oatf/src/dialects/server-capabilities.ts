import { isList, own } from '@joust/source'
import { mcpServerDocument } from '../rules/rule.ts'
import { type Site, siteAt } from '../rules/walk.ts'
import { statesOf } from './places.ts'
import type { Translation } from './translation.ts'

/** What only clients can do. */
const OF_CLIENTS: readonly string[] = ['sampling', 'elicitation', 'roots']

/** What a server lists, and nobody asks for unless it is declared as a capability. */
const LISTED = ['tools', 'resources', 'prompts'] as const

export const serverCapabilities: Translation = {
  summary:
    '`capabilities` of an MCP server that names only those of clients (`sampling`, `elicitation`, `roots`) is left out.',
  find: (places) =>
    statesOf(places, 'mcp_server').flatMap((state) => {
      const declared = siteAt(state, 'capabilities')
      const keys = Object.keys(declared?.value ?? {})
      const [first] = keys
      if (declared === undefined || first === undefined || !listsSomething(state)) return []
      if (!keys.every((key) => OF_CLIENTS.includes(key))) return []
      const message = `the capability "${first}" is a client's; the server declares what it lists instead`
      const left = `the capability "${first}" is a client's; it is sent as written, so clients do not ask for what the server lists`
      return [{ at: [...declared.path, first], message, edits: [{ op: 'remove', path: declared.path }], left }]
    }),
  bad: mcpServerDocument(`
    state:
      capabilities: { sampling: {} }
      tools: [{ name: search, inputSchema: { type: object }, responses: [{ content: [] }] }]
`),
}

function listsSomething({ value }: Site): boolean {
  return LISTED.some((key) => {
    const list = own(value, key)
    return isList(list) && list.length > 0
  })
}
