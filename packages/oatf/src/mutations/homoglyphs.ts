import type { Mutation } from './mutation.ts'
import { changeLetters } from './rewrite.ts'

const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({ a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' }),
)

export const homoglyphs: Mutation = {
  name: 'homoglyphs',
  kind: 'typography',
  summary: 'puts Cyrillic letters in the place of Latin ones that look the same',
  apply: (draft) =>
    changeLetters(draft, (stretch) => stretch.replaceAll(/[aceopxy]/g, (letter) => LOOK_ALIKES.get(letter) ?? letter)),
}
