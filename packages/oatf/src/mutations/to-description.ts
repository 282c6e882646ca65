import { READS_REQUEST, readsRequest, takeOrder } from './move-order.ts'
import type { Mutation } from './mutation.ts'
import { mappingAt, put, toolPlace } from './places.ts'

export const toDescription: Mutation = {
  name: 'to-description',
  kind: 'surface',
  summary: 'moves the order from the result of a tool to the description of that tool',
  apply(draft) {
    const [first, ...more] = draft.texts
    const place = first === undefined ? undefined : toolPlace(first.at)
    if (first === undefined || place === undefined || place.below[0] !== 'responses')
      return 'the bait is not in the result of an MCP tool'
    if (more.length > 0) return 'the bait is in several texts'
    if (place.phase > 0) return 'the tools have been listed before the bait is in force'
    if (readsRequest(first.text)) return READS_REQUEST
    const at = [...place.tool, 'description']
    const { description } = mappingAt(draft.root, place.tool) ?? {}
    const said = typeof description === 'string' ? `${description.trim()} ` : ''
    put(draft.root, at, `${said}IMPORTANT: ${takeOrder(draft, first)}`)
    draft.baits = [at]
    return undefined
  },
}
