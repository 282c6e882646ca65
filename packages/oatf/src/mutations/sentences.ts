import { containsWord } from './keep.ts'

export function sentencesOf(text: string): string[] {
  return text
    .trim()
    .split(/(?<=[.!?])\s+(?=\S)/)
    .filter((sentence) => sentence !== '')
}

/** A text split at the sentences that contain words of an indicator or a tool. */
export interface SplitText {
  readonly before: string
  readonly instruction: string
  readonly after: string
}

/** Splits a text. If no sentence contains a word, the whole text is the instruction. */
export function splitAtInstruction(text: string, words: readonly string[]): SplitText {
  const sentences = sentencesOf(text)
  const first = sentences.findIndex((sentence) => containsWord(sentence, words))
  if (first < 0) return { before: '', instruction: text.trim(), after: '' }
  const last = sentences.findLastIndex((sentence) => containsWord(sentence, words))
  return {
    before: sentences.slice(0, first).join(' '),
    instruction: sentences.slice(first, last + 1).join(' '),
    after: sentences.slice(last + 1).join(' '),
  }
}
