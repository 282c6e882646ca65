import { describeValue, ownText } from '@joust/source'
import { indicatorId } from '../../primitives/indicator-id.ts'
import { repeated } from '../repeated.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** Explicit indicator ids are unique (V-010), also among the ids that indicators without one will get. */
export const uniqueIndicatorIds: Rule = {
  summary: 'Explicit indicator ids are unique.',
  check(walk, report) {
    const attackId = ownText(walk.attack, 'id')
    const idAt = (index: number): string => indicatorId(attackId, { target: '' }, index)
    for (const { path, text, generated } of repeated(walk.indicators, 'id', idAt)) {
      const other = generated
        ? 'the id that normalization gives an indicator without one is also'
        : 'an earlier indicator already has the id'
      report(path, `${other} ${describeValue(text)}; choose another or leave it out`)
    }
  },
  good: indicatorsDocument(`
    - { id: key-sent, target: arguments.note, pattern: { contains: PRIVATE KEY } }
    - { id: password-sent, target: arguments.note, pattern: { contains: "root:" } }
`),
  mistake: ['id: password-sent', 'id: key-sent'],
  path: 'attack.indicators[1].id',
}
