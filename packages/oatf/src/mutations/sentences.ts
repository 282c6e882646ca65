import { isPointed } from './keep.ts'

export function sentencesOf(text: string): string[] {
  return text
    .trim()
    .split(/(?<=[.!?])\s+(?=\S)/)
    .filter((sentence) => sentence !== '')
}

/** A text split at the sentences that contain words of an indicator or a tool. */
export interface SplitText {
  readonly before: string
  readonly order: string
  readonly after: string
}

/** Splits a text. Without such sentences, the whole text is the instruction. */
export function partText(text: string, words: readonly string[]): SplitText {
  const sentences = sentencesOf(text)
  const first = sentences.findIndex((sentence) => isPointed(sentence, words))
  if (first < 0) return { before: '', order: text.trim(), after: '' }
  const last = sentences.findLastIndex((sentence) => isPointed(sentence, words))
  return {
    before: sentences.slice(0, first).join(' '),
    order: sentences.slice(first, last + 1).join(' '),
    after: sentences.slice(last + 1).join(' '),
  }
}
