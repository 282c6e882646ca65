/** Mutations that split the instruction across several message parts or messages. */
import { cloneValue, formatPath, isRecord, own, type Path, type Value, valueAt } from '@joust/source'
import { put } from '../walk/put.ts'
import type { Mutation, MutationDraft } from './mutation.ts'
import { replaceEntry } from './places.ts'
import { sentencesOf } from './sentences.ts'

export const splittings: readonly Mutation[] = [
  {
    name: 'split-parts',
    kind: 'splitting',
    summary: 'splits the instruction across several parts of one message',
    apply: splitBy(splitPart, 'the bait is not in a message with parts'),
  },
  {
    name: 'split-turns',
    kind: 'splitting',
    summary: 'splits the instruction across two messages in a conversation',
    apply: splitBy(splitMessage, 'the bait is not a message of two sentences in a conversation'),
  },
]

type Split = (draft: MutationDraft, at: Path, text: string) => boolean

/**
 * Splits from the end, so that earlier paths stay valid. Quoted texts are not split, because half a quotation would
 * look like the user's own text.
 */
function splitBy(split: Split, cannot: string): Mutation['apply'] {
  return (draft) => {
    const whole = draft.texts.filter(({ before, after }) => before === '' && after === '')
    const done = whole.reverse().map(({ at, text }) => split(draft, at, text))
    return done.some(Boolean) ? undefined : cannot
  }
}

/** Splits `{ type: text, text }` (MCP) or `{ kind: text, text }` (A2A). */
function splitPart(draft: MutationDraft, at: Path, text: string): boolean {
  const place = at.slice(0, -1)
  const part = valueAt(draft.root, place)
  if (at.at(-1) !== 'text' || typeof place.at(-1) !== 'number' || !isRecord(part)) return false
  const sentences = sentencesOf(text)
  const pieces = halve(sentences.length > 1 ? sentences : wordsOf(text)).filter(Boolean)
  if (pieces.length < 2) return false
  const entries = pieces.map((piece) => ({ ...part, text: piece }))
  replaceEntry(draft.root, place, entries)
  return true
}

/** Splits a text into words. A template is one word. */
function wordsOf(text: string): string[] {
  return text.match(/(?:\{\{[^{}]*\}\}|\S)+/g) ?? []
}

function splitMessage(draft: MutationDraft, at: Path, text: string): boolean {
  const index = at.lastIndexOf('messages') + 1
  const place = at.slice(0, index + 1)
  const below = at.slice(place.length)
  const message = valueAt(draft.root, place)
  const sentences = sentencesOf(text)
  if (index === 0 || !isRecord(message) || sentences.length < 2) return false
  const [first = '', second = ''] = halve(sentences)
  const later = withText(message, below, second)
  const id = own(message, 'id')
  if (typeof id === 'string') put(later, ['id'], `${id}-2`)
  replaceEntry(draft.root, place, [withText(message, below, first), later])
  // The bait is delivered once the second half is delivered.
  const moved = [...place.slice(0, -1), Number(place.at(-1)) + 1, ...below]
  draft.baits = draft.baits.map((path) => (formatPath(path) === formatPath(at) ? moved : path))
  return true
}

function halve(units: readonly string[]): string[] {
  const middle = Math.ceil(units.length / 2)
  return [units.slice(0, middle).join(' '), units.slice(middle).join(' ')]
}

function withText(message: Value, below: Path, text: string): Value {
  const copy = cloneValue(message)
  put(copy, below, text)
  return copy
}
