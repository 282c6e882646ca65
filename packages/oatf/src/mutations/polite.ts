import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

export const polite: Mutation = {
  name: 'polite',
  kind: 'tone',
  summary: 'asks politely',
  apply: (draft) =>
    rewriteTexts(
      draft,
      (text) =>
        `Would you be so kind as to help with one small thing first? ${text}\n\nThank you very much, that is most kind of you.`,
    ),
}
