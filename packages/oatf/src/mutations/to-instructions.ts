import { OF_A_PARAMETER, READS_REQUEST, readsRequest, takeOrder } from './move-order.ts'
import type { Mutation } from './mutation.ts'
import { mappingAt, put, toolPlace } from './places.ts'

export const toInstructions: Mutation = {
  name: 'to-instructions',
  kind: 'surface',
  summary: 'moves the order from a tool to the instructions that its server gives everybody who connects',
  apply(draft) {
    const [first, ...more] = draft.texts
    const place = first === undefined ? undefined : toolPlace(first.at)
    if (first === undefined || place === undefined) return 'the bait does not belong to a tool of an MCP server'
    if (place.below[0] === 'inputSchema') return OF_A_PARAMETER
    if (more.length > 0) return 'the bait is in several texts'
    if (place.phase > 0) return 'the agent has connected before the bait is in force'
    if (readsRequest(first.text)) return READS_REQUEST
    const at = [...place.state, 'instructions']
    const { instructions } = mappingAt(draft.root, place.state) ?? {}
    const said = typeof instructions === 'string' ? `${instructions.trim()} ` : ''
    const rest = place.below[0] === 'description' ? 'A tool.' : undefined
    put(draft.root, at, `${said}${takeOrder(draft, first, rest)}`)
    draft.baits = [at]
    return undefined
  },
}
