import { ownList } from '@joust/source'
import { mcpServerDocument } from '../rules/rule.ts'
import { siteAt } from '../walk/walk.ts'
import { statesOf } from './places.ts'
import type { Translation } from './translation.ts'

const OF_CLIENTS: readonly string[] = ['sampling', 'elicitation', 'roots']

/** Server lists that clients request only if the server declares the capability of the same name. */
const LISTED = ['tools', 'resources', 'prompts'] as const

export const serverCapabilities: Translation = {
  summary:
    'The `capabilities` of an MCP server are ignored if they contain only client capabilities (`sampling`, `elicitation`, `roots`).',
  find: (places) =>
    statesOf(places, 'mcp_server').flatMap((state) => {
      const declared = siteAt(state, 'capabilities')
      const keys = Object.keys(declared?.value ?? {})
      const [first] = keys
      const isListing = LISTED.some((key) => ownList(state.value, key).length > 0)
      if (declared === undefined || first === undefined || !isListing) return []
      if (!keys.every((key) => OF_CLIENTS.includes(key))) return []
      const message = `"${first}" is a client capability; the server declares the capabilities of its lists instead`
      const unchanged = `"${first}" is a client capability and is sent as written, so clients do not request the lists of the server`
      return [{ at: [...declared.path, first], message, edits: [{ op: 'remove', path: declared.path }], unchanged }]
    }),
  bad: mcpServerDocument(`
    state:
      capabilities: { sampling: {} }
      tools: [{ name: search, inputSchema: { type: object }, responses: [{ content: [] }] }]
`),
}
