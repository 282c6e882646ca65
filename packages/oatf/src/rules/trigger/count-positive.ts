import { isNumeric, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `trigger.count` is at least 1 (W-102): with less, the first event already advances the phase. */
export const countPositive: Rule = (walk, report) => {
  for (const { path, value } of walk.triggers) {
    const count = own(value, 'count')
    if (isNumeric(count) && count < 1) report([...path, 'count'], `${count} counts like 1: one event is the least`)
  }
}
