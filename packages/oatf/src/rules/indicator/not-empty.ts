import { describeValue, isList, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `indicators`, when present, has at least one entry (V-006). */
export const indicatorsNotEmpty: Rule = (walk, report) => {
  const indicators = own(walk.attack, 'indicators')
  if (indicators === undefined) return
  const path = ['attack', 'indicators']
  if (!isList(indicators)) report(path, `expected a list of indicators, got ${describeValue(indicators)}`)
  else if (indicators.length === 0) {
    report(path, 'the list of indicators is empty; leave the field out in a document that only simulates')
  }
}
