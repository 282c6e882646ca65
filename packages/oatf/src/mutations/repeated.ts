import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

const TIMES = 3

export const repeated: Mutation = {
  name: 'repeated',
  kind: 'length',
  summary: 'says the same thing three times',
  apply: (draft) => rewriteTexts(draft, (text) => Array.from({ length: TIMES }, () => text).join('\n\n')),
}
