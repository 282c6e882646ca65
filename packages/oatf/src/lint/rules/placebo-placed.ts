import { placeboFaults } from '../../exposure/placebo.ts'
import { baitedDocument, placeboOfWeather } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

export const placeboPlaced: LintRule = {
  summary: '`x-joust-placebo` has a different value of the same shape for every path in `x-joust-bait`.',
  check({ walk }, report) {
    for (const { path, message } of placeboFaults(walk)) report(path, message)
  },
  good: baitedDocument(placeboOfWeather),
  mistake: [
    'description: Tells the weather. The optional field "note" is shown above it.',
    'description: [Tells the weather.]',
  ],
  path: 'attack.x-joust-placebo.attack.execution.state.tools[0].description',
}
