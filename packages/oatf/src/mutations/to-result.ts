import { isList, isRecord, own, type Path, type Value } from '@joust/source'
import { OF_A_PARAMETER, takeOrder } from './move-order.ts'
import type { Mutation } from './mutation.ts'
import { put, toolPlace, valueAt } from './places.ts'

export const toResult: Mutation = {
  name: 'to-result',
  kind: 'surface',
  summary: 'moves the order from the description of a tool to the results of that tool',
  apply(draft) {
    const [first, ...more] = draft.texts
    const place = first === undefined ? undefined : toolPlace(first.at)
    if (first === undefined || place === undefined || place.below[0] === 'responses')
      return 'the bait is not in the description of an MCP tool'
    if (place.below[0] === 'inputSchema') return OF_A_PARAMETER
    if (more.length > 0) return 'the bait is in several texts'
    const answers = textsOf(draft.root, [...place.tool, 'responses'])
    if (answers.length === 0) return 'the tool has no result with a text'
    const order = takeOrder(draft, first, 'A tool.')
    for (const { at, text } of answers) put(draft.root, at, `${text.trim()} ${order}`)
    draft.baits = answers.map(({ at }) => at)
    return undefined
  },
}

/** The first text of each answer. */
function textsOf(root: Value, at: Path): { readonly at: Path; readonly text: string }[] {
  const responses = valueAt(root, at)
  if (!isList(responses)) return []
  return responses.flatMap((_, index) => {
    const path = [...at, index, 'content', 'content']
    const parts = valueAt(root, path)
    const found = isList(parts)
      ? parts.findIndex((part) => isRecord(part) && typeof own(part, 'text') === 'string')
      : -1
    const text = valueAt(root, [...path, found, 'text'])
    return typeof text === 'string' ? [{ at: [...path, found, 'text'], text }] : []
  })
}
