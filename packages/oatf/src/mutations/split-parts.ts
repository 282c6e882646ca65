import { isRecord, type Path, type Value, type ValueRecord } from '@joust/source'
import type { Mutation, MutationDraft } from './mutation.ts'
import { replaceEntry, valueAt } from './places.ts'
import { isQuoted } from './quoted.ts'
import { sentencesOf } from './sentences.ts'

export const splitParts: Mutation = {
  name: 'split-parts',
  kind: 'splitting',
  summary: 'splits the order over several parts of one message, none of which gives it alone',
  apply(draft) {
    // From the end, so that the places of those before stay what they are.
    const halves = [...draft.texts].reverse().map((bait) => !isQuoted(bait) && splitPart(draft, bait.at, bait.text))
    return halves.some(Boolean) ? undefined : 'the bait is not a part of a message that can have several'
  },
}

/** Splits `{ type: text, text }` of MCP or `{ kind: text, text }` of A2A. */
function splitPart(draft: MutationDraft, at: Path, text: string): boolean {
  const place = at.slice(0, -1)
  const part = valueAt(draft.root, place)
  if (at.at(-1) !== 'text' || typeof place.at(-1) !== 'number' || !isRecord(part)) return false
  const pieces = halve(text)
  if (pieces.length < 2) return false
  const parts = pieces.map((piece): Value => ({ ...part, text: piece }) satisfies ValueRecord)
  replaceEntry(draft.root, place, parts)
  return true
}

/** At the sentence in the middle, else at the word. */
function halve(text: string): string[] {
  const sentences = sentencesOf(text)
  const units = sentences.length > 1 ? sentences : unitsOf(text)
  const middle = Math.ceil(units.length / 2)
  return [units.slice(0, middle), units.slice(middle)].map((half) => half.join(' ')).filter(Boolean)
}

/** Words; a template is one, whatever it holds. */
function unitsOf(text: string): string[] {
  return text.match(/(?:\{\{[^{}]*\}\}|\S)+/g) ?? []
}
