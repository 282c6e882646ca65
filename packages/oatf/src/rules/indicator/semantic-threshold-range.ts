import { describeValue, own } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const semanticThresholdRange: Rule = {
  summary: '`semantic.threshold` is between 0 and 1.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const threshold = own(own(value, 'semantic'), 'threshold')
      if (threshold === undefined || (typeof threshold === 'number' && threshold >= 0 && threshold <= 1)) continue
      report([...path, 'semantic', 'threshold'], `expected a number from 0 to 1, got ${describeValue(threshold)}`)
    }
  },
  good: indicatorsDocument(`
    - target: arguments.note
      semantic: { intent: Hands over a secret, threshold: 0.8 }
`),
  mistake: ['threshold: 0.8', 'threshold: 80'],
  path: 'attack.indicators[0].semantic.threshold',
}
