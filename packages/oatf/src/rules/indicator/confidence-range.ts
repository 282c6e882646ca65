import { describeValue, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `indicator.confidence` lies between 0 and 100 (V-025). */
export const indicatorConfidenceRange: Rule = (walk, report) => {
  for (const { path, value } of walk.indicators) {
    const confidence = own(value, 'confidence')
    if (confidence === undefined) continue
    const whole = typeof confidence === 'number' && Number.isInteger(confidence)
    if (whole && confidence >= 0 && confidence <= 100) continue
    report([...path, 'confidence'], `expected a whole number from 0 to 100, got ${describeValue(confidence)}`)
  }
}
