import type { Mutation } from './mutation.ts'
import { say } from './places.ts'
import { partText } from './sentences.ts'

export const orderFirst: Mutation = {
  name: 'order-first',
  kind: 'position',
  summary: 'moves the sentences of the order before everything else that the text says',
  apply(draft) {
    const parted = draft.texts.map((bait) => ({ bait, ...partText(bait.text, draft.words) }))
    if (parted.every(({ before }) => before === '')) return 'the order comes first already'
    for (const { bait, before, order, after } of parted)
      say(draft.root, bait, [order, before, after].filter(Boolean).join(' '))
    return undefined
  },
}
