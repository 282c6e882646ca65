import { own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `correlation` stands only beside `indicators` (V-047). */
export const correlationNeedsIndicators: Rule = (walk, report) => {
  if (own(walk.attack, 'correlation') === undefined || own(walk.attack, 'indicators') !== undefined) return
  report(
    ['attack', 'correlation'],
    '"correlation" combines the verdicts of indicators, but there are no "indicators"; add some or remove it',
    { at: 'key' },
  )
}
