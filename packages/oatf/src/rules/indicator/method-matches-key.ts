import { own } from '@joust/source'
import { indicatorMethods } from '../../model/enumerations.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** `indicator.method` is the detection key that is present (V-049). A method that does not exist is up to V-005. */
export const methodMatchesKey: Rule = {
  summary: '`indicator.method` is the detection key that is present.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const method = indicatorMethods.find((name) => name === own(value, 'method'))
      if (method === undefined || own(value, method) !== undefined) continue
      const present = indicatorMethods.filter((name) => own(value, name) !== undefined)
      const seen = present.length === 0 ? 'no detection key' : `"${present.join('" and "')}"`
      report([...path, 'method'], `the method is "${method}" but the indicator has ${seen}; the field may be left out`)
    }
  },
  good: indicatorsDocument(`
    - method: pattern
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- method: pattern', '- method: expression'],
  path: 'attack.indicators[0].method',
}
