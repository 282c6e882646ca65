import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

export const importantTag: Mutation = {
  name: 'important-tag',
  kind: 'framing',
  summary: 'puts the order into a tag that calls for attention',
  apply: (draft) => rewriteTexts(draft, (text) => `<IMPORTANT>\n${text}\n</IMPORTANT>`),
}
