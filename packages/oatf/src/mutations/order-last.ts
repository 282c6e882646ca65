import type { Mutation } from './mutation.ts'
import { say } from './places.ts'
import { partText } from './sentences.ts'

export const orderLast: Mutation = {
  name: 'order-last',
  kind: 'position',
  summary: 'moves the sentences of the order behind everything else that the text says',
  apply(draft) {
    const parted = draft.texts.map((bait) => ({ bait, ...partText(bait.text, draft.words) }))
    if (parted.every(({ after }) => after === '')) return 'the order comes last already'
    for (const { bait, before, order, after } of parted)
      say(draft.root, bait, [before, after, order].filter(Boolean).join(' '))
    return undefined
  },
}
