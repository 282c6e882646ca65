import { cloneValue, formatPath, isRecord, own, type Path, type Value } from '@joust/source'
import type { Mutation, MutationDraft } from './mutation.ts'
import { put, replaceEntry, valueAt } from './places.ts'
import { isQuoted } from './quoted.ts'
import { sentencesOf } from './sentences.ts'

export const splitTurns: Mutation = {
  name: 'split-turns',
  kind: 'splitting',
  summary: 'splits the order over two messages of a conversation',
  apply(draft) {
    const split = [...draft.texts].reverse().map((bait) => !isQuoted(bait) && splitMessage(draft, bait.at, bait.text))
    return split.some(Boolean) ? undefined : 'the bait is not a message of two sentences in a conversation'
  },
}

function splitMessage(draft: MutationDraft, at: Path, text: string): boolean {
  const index = at.lastIndexOf('messages') + 1
  const place = at.slice(0, index + 1)
  const message = valueAt(draft.root, place)
  const sentences = sentencesOf(text)
  if (index === 0 || !isRecord(message) || sentences.length < 2) return false
  const middle = Math.ceil(sentences.length / 2)
  const second = withText(message, at.slice(place.length), sentences.slice(middle).join(' '))
  const id = own(message, 'id')
  if (typeof id === 'string') put(second, ['id'], `${id}-2`)
  replaceEntry(draft.root, place, [
    withText(message, at.slice(place.length), sentences.slice(0, middle).join(' ')),
    second,
  ])
  // Who has read the second half has read the order.
  const later = [...place.slice(0, -1), Number(place.at(-1)) + 1, ...at.slice(place.length)]
  draft.baits = draft.baits.map((path) => (formatPath(path) === formatPath(at) ? later : path))
  return true
}

function withText(message: Value, below: Path, text: string): Value {
  const copy = cloneValue(message)
  put(copy, below, text)
  return copy
}
