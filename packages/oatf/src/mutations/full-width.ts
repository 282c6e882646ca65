import type { Mutation } from './mutation.ts'
import { changeLetters } from './rewrite.ts'

const SHIFT = 0xfee0

export const fullWidth: Mutation = {
  name: 'full-width',
  kind: 'typography',
  summary: 'writes the letters in their full-width forms',
  apply: (draft) =>
    changeLetters(draft, (stretch) =>
      stretch.replaceAll(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) + SHIFT)),
    ),
}
