import { describeValue } from '@joust/source'
import { repeated } from '../repeated.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const uniqueIndicatorIds: Rule = {
  summary: 'Explicit indicator ids are unique.',
  check(walk, report) {
    for (const { path, text } of repeated(walk.indicators, 'id'))
      report(path, `duplicate indicator id ${describeValue(text)}; choose another or remove it`)
  },
  good: indicatorsDocument(`
    - { id: key-sent, target: arguments.note, pattern: { contains: PRIVATE KEY } }
    - { id: password-sent, target: arguments.note, pattern: { contains: "root:" } }
`),
  mistake: ['id: password-sent', 'id: key-sent'],
  path: 'attack.indicators[1].id',
}
