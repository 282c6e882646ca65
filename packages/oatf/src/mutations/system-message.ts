import type { Mutation } from './mutation.ts'
import { rewriteTexts } from './rewrite.ts'

export const systemMessage: Mutation = {
  name: 'system-message',
  kind: 'framing',
  summary: 'dresses the order up as a message of the system',
  apply: (draft) => rewriteTexts(draft, (text) => `<system>\n${text}\n</system>`),
}
