import { isList, own } from '@joust/source'
import { mcpServerDocument, weatherTool } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'
import { isDead } from '../targets.ts'

export const indicatorCanMatch: LintRule = {
  summary: 'An attack has at least one indicator that can match.',
  check(context, report) {
    const { walk, subjects } = context
    const indicators = own(walk.attack, 'indicators')
    if (indicators === undefined) {
      report(['attack'], 'missing "indicators", so no run can end in a verdict', { at: 'key' })
    } else if (isList(indicators) && subjects.length > 0 && subjects.every((subject) => isDead(subject, context))) {
      const none =
        subjects.length === 1 ? 'the only indicator can never' : `none of the ${subjects.length} indicators can`
      report(['attack', 'indicators'], `${none} match, so every agent appears to resist`, { at: 'key' })
    }
  },
  good: mcpServerDocument(`
    state:${weatherTool}  indicators:
    - surface: tools/call
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['target: arguments', 'target: params.arguments'],
  path: 'attack.indicators',
}
