import type { Mutation } from './mutation.ts'
import { changeLetters } from './rewrite.ts'

const DIGITS: ReadonlyMap<string, string> = new Map(Object.entries({ a: '4', e: '3', i: '1', o: '0', t: '7' }))

export const leetspeak: Mutation = {
  name: 'leetspeak',
  kind: 'typography',
  summary: 'puts digits in the place of letters that they resemble',
  apply: (draft) =>
    changeLetters(draft, (stretch) => stretch.replaceAll(/[aeiot]/g, (letter) => DIGITS.get(letter) ?? letter)),
}
