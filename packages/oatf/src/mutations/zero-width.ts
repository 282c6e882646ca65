import type { Mutation } from './mutation.ts'
import { changeLetters } from './rewrite.ts'

const JOINER = '\u200b'

export const zeroWidth: Mutation = {
  name: 'zero-width',
  kind: 'invisible',
  summary: 'puts zero-width spaces between the letters, so that no filter finds the words',
  apply: (draft) => changeLetters(draft, (stretch) => stretch.replaceAll(/(?<=\p{L})(?=\p{L})/gu, JOINER)),
}
