/** What to say about an unknown word. */
import { suggest } from '@joust/source'

/** A message with the word that was probably meant, or else with where to find the known ones. */
export function unknownWord(message: string, word: string, known: readonly string[], otherwise?: string): string {
  const near = suggest(word, known)
  const hint = near === undefined ? otherwise : `did you mean ${near}?`
  return hint === undefined ? message : `${message}; ${hint}`
}
