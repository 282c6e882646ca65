import { isList, own } from '@joust/source'
import type { LintRule } from '../rule.ts'
import { isDead } from '../targets.ts'

/** The document can tell that the attack worked (L-007). */
export const someIndicatorAlive: LintRule = (context, report) => {
  const { walk, subjects } = context
  const indicators = own(walk.attack, 'indicators')
  if (indicators === undefined) {
    report(['attack'], 'the document has no indicators, so that no run of it ends in a verdict', { at: 'key' })
  } else if (isList(indicators) && subjects.length > 0 && subjects.every((subject) => isDead(subject, context))) {
    const none = subjects.length === 1 ? 'the only indicator cannot' : `none of the ${subjects.length} indicators can`
    report(['attack', 'indicators'], `${none} ever match, so that every agent seems to resist`, { at: 'key' })
  }
}
