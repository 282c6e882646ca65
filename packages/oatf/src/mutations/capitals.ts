import type { Mutation } from './mutation.ts'
import { changeLetters } from './rewrite.ts'

export const capitals: Mutation = {
  name: 'capitals',
  kind: 'typography',
  summary: 'shouts: everything in capitals',
  apply: (draft) => changeLetters(draft, (stretch) => stretch.toUpperCase()),
}
