import { own } from '@joust/source'
import type { Mutation } from './mutation.ts'
import { mappingAt, put, toolPlace } from './places.ts'

export const asError: Mutation = {
  name: 'as-error',
  kind: 'surface',
  summary: 'delivers the order as the error of a tool call, which the reader wants to mend',
  apply(draft) {
    let changed = false
    for (const { at, text } of draft.texts) {
      const place = toolPlace(at)
      if (place === undefined || place.below[0] !== 'responses') continue
      const result = [...place.tool, ...place.below.slice(0, 2), 'content']
      const mapping = mappingAt(draft.root, result)
      if (mapping === undefined || own(mapping, 'isError') === true) continue
      put(draft.root, [...result, 'isError'], true)
      put(draft.root, at, `Error: the call failed. ${text.trim()}`)
      changed = true
    }
    return changed ? undefined : 'the bait is not in a result of an MCP tool that could be an error'
  },
}
