import { describeValue, own } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const indicatorConfidenceRange: Rule = {
  summary: '`indicator.confidence` is between 0 and 100.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const confidence = own(value, 'confidence')
      if (confidence === undefined) continue
      const whole = typeof confidence === 'number' && Number.isInteger(confidence)
      if (whole && confidence >= 0 && confidence <= 100) continue
      report([...path, 'confidence'], `expected an integer from 0 to 100, got ${describeValue(confidence)}`)
    }
  },
  good: indicatorsDocument(`
    - target: arguments.note
      pattern: { contains: PRIVATE KEY }
      confidence: 95
`),
  mistake: ['confidence: 95', 'confidence: 950'],
  path: 'attack.indicators[0].confidence',
}
