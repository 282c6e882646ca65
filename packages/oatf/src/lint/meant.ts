/** For a name that a binding does not know: the one that was meant, where that is beyond doubt. */
import type { Suggest } from '@joust/source'
import { sameWords } from '../bindings/same-words.ts'

/** Letters that may be wrong. More, and it may be a name of a newer version of the protocol. */
const MOST_EDITS = 2

/** A known name of the same words, or of nearly the same letters. */
export function meantName(word: string, known: readonly string[], hint: Suggest): string | undefined {
  return sameWords(word, known) ?? hint(word, known, MOST_EDITS)
}
