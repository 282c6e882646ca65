/**
 * The request that part of a state responds to; `when` and `{{request.…}}` read it ([OATF
 * §5.6](https://oatf.io/specification/execution-profile/), §7.0.1).
 */
import { messageShapes } from '../bindings/message-shapes.ts'
import type { Shape } from '../bindings/shape.ts'
import type { KnownMode } from '../model/enumerations.ts'
import { extractProtocol } from '../primitives/extract-protocol.ts'

interface Use {
  readonly mode: KnownMode
  readonly key: string
  /** The only entry key that the row covers. If it is not set, the row covers all other keys. */
  readonly below?: string
  readonly surfaces: readonly string[]
}

const calls = ['tools/call', 'prompts/get']
const sent = ['message/send', 'message/stream']

const uses: readonly Use[] = [
  { mode: 'mcp_server', key: 'tools', below: 'responses', surfaces: ['tools/call'] },
  { mode: 'mcp_server', key: 'tools', surfaces: ['tools/list'] },
  { mode: 'mcp_server', key: 'prompts', below: 'responses', surfaces: ['prompts/get'] },
  { mode: 'mcp_server', key: 'prompts', surfaces: ['prompts/list'] },
  { mode: 'mcp_server', key: 'resources', below: 'content', surfaces: ['resources/read'] },
  { mode: 'mcp_server', key: 'resources', surfaces: ['resources/list'] },
  { mode: 'mcp_server', key: 'resource_templates', below: 'content', surfaces: ['resources/read'] },
  { mode: 'mcp_server', key: 'resource_templates', surfaces: ['resources/templates/list'] },
  { mode: 'mcp_server', key: 'elicitations', surfaces: calls },
  { mode: 'mcp_server', key: 'instructions', surfaces: ['initialize'] },
  { mode: 'mcp_server', key: 'server_info', surfaces: ['initialize'] },
  { mode: 'mcp_client', key: 'sampling_responses', surfaces: ['sampling/createMessage'] },
  { mode: 'mcp_client', key: 'elicitation_responses', surfaces: ['elicitation/create'] },
  { mode: 'a2a_server', key: 'agent_card', surfaces: ['agent_card/get', 'agent/getAuthenticatedExtendedCard'] },
  { mode: 'a2a_server', key: 'task_responses', surfaces: sent },
  { mode: 'ag_ui_client', key: 'tool_responses', surfaces: ['tool_call_start'] },
]

/** Returns the shapes of the request for a value in a state; undefined if the request is unknown. */
export function requestAt(
  mode: string,
  keys: readonly (string | number)[],
): { readonly surface: string; readonly shapes: readonly Shape[] } | undefined {
  const [key, , below] = keys
  const fitting = uses.filter((use) => use.mode === mode && use.key === key)
  const use = fitting.find((one) => one.below !== undefined && one.below === below) ?? fitting.find((one) => !one.below)
  if (use === undefined) return undefined
  const rows = messageShapes(extractProtocol(mode)).filter((row) => use.surfaces.includes(row.surface))
  return {
    surface: use.surfaces.join(' or '),
    // An AG-UI event is not a request, but the state responds to it.
    shapes: rows.flatMap((row) => row.request ?? row.response ?? []),
  }
}
