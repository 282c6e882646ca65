import { literalsIn, PLACEBO, replacementsIn } from '../../exposure/placebo.ts'
import { baitedDocument, placeboOfWeather } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'

/** An agent that repeats a literal from the placebo would appear to be exploited without the bait. */
export const placeboHarmless: LintRule = {
  summary: 'No value of `x-joust-placebo` contains a literal of an indicator.',
  check({ walk }, report) {
    for (const replacement of replacementsIn(walk)) {
      const [literal] = literalsIn(replacement, walk)
      if (literal === undefined) continue
      const path = ['attack', PLACEBO, replacement.path]
      report(path, `the placebo contains ${JSON.stringify(literal)}, which an indicator matches`)
    }
  },
  good: baitedDocument(placeboOfWeather),
  mistake: ['is shown above it', 'may hold a password'],
  path: 'attack.x-joust-placebo.attack.execution.state.tools[0].description',
}
