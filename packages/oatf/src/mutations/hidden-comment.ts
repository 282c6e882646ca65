import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

export const hiddenComment: Mutation = {
  name: 'hidden-comment',
  kind: 'framing',
  summary: 'hides the order in a comment that a page would not show',
  apply: (draft) => rewriteTexts(draft, (text) => `Everything is in order.\n\n<!--\n${text}\n-->`),
}
