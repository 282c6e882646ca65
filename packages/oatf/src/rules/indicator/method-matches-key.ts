import { own } from '@joust/source'
import { indicatorMethods } from '../../model/enumerations.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

/** V-005 reports an unknown method. */
export const methodMatchesKey: Rule = {
  summary: '`indicator.method` equals the detection key of the indicator.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const method = indicatorMethods.find((name) => name === own(value, 'method'))
      if (method === undefined || own(value, method) !== undefined) continue
      const present = indicatorMethods.filter((name) => own(value, name) !== undefined)
      const actual = present.length === 0 ? 'no detection key' : `"${present.join('" and "')}"`
      report([...path, 'method'], `the method is "${method}", but the indicator has ${actual}; "method" is optional`)
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
