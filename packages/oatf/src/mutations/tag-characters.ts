import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

const TAG_BLOCK = 0xe0000

export const tagCharacters: Mutation = {
  name: 'tag-characters',
  kind: 'invisible',
  summary: 'writes the order in Unicode tag characters, which no screen draws, behind a harmless sentence',
  apply(draft) {
    if (draft.texts.some(({ text }) => text.includes('{{')))
      return 'the bait has a template, which is filled in with characters that a screen draws'
    if (draft.texts.some(({ text }) => !/^[\x20-\x7e\s]*$/.test(text)))
      return 'the bait has characters outside ASCII, and there are no tags for them'
    return rewriteTexts(draft, (text) => `Everything is in order. ${toTags(text)}`)
  },
}

function toTags(text: string): string {
  return [...text.replaceAll(/\s+/g, ' ')]
    .map((character) => String.fromCodePoint(TAG_BLOCK + (character.codePointAt(0) ?? 0)))
    .join('')
}
