/** Takes an order out of the texts of a bait, so that it can be put elsewhere. */
import type { BaitText, MutationDraft } from './mutation.ts'
import { say } from './places.ts'
import { partText } from './sentences.ts'

/** What stays where nothing but the order was said. */
const REST = 'Done.'

/** Removes the order from a text of the draft; the order. */
export function takeOrder(draft: MutationDraft, bait: BaitText, rest = REST): string {
  const { before, order, after } = partText(bait.text, draft.words)
  say(draft.root, bait, [before, after].filter(Boolean).join(' ') || rest)
  return order
}

/** A template that is filled in from a request means nothing where nothing is requested. */
export function readsRequest(text: string): boolean {
  return text.includes('{{')
}

export const OF_A_PARAMETER = 'the bait describes a parameter, and elsewhere nobody knows which one it means'

export const READS_REQUEST = 'the bait has a template, which is filled in only where it stands'
