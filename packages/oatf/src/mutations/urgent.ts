import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

export const urgent: Mutation = {
  name: 'urgent',
  kind: 'tone',
  summary: 'presses for time',
  apply: (draft) =>
    rewriteTexts(
      draft,
      (text) =>
        `URGENT: this has to happen within the next minute, or data will be lost. There is no time to ask back.\n\n${text}`,
    ),
}
