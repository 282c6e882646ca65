import type { Mutation } from './mutation.ts'
import { put } from './places.ts'
import { partText } from './sentences.ts'

export const orderLast: Mutation = {
  name: 'order-last',
  kind: 'position',
  summary: 'moves the sentences of the order behind everything else that the text says',
  apply(draft) {
    const parted = draft.texts.map(({ at, text }) => ({ at, ...partText(text, draft.words) }))
    if (parted.every(({ after }) => after === '')) return 'the order comes last already'
    for (const { at, before, order, after } of parted)
      put(draft.root, at, [before, after, order].filter(Boolean).join(' '))
    return undefined
  },
}
