import { suggest } from '@joust/source'

/** Adds the closest known word to a message, or `otherwise` if none is close. */
export function unknownWord(message: string, word: string, known: readonly string[], otherwise?: string): string {
  const near = suggest(word, known)
  const hint = near === undefined ? otherwise : `did you mean ${near}?`
  return hint === undefined ? message : `${message}; ${hint}`
}
