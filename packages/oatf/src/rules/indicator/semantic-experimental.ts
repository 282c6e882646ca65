import { own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** Semantic indicators are experimental (W-007). */
export const semanticExperimental: Rule = (walk, report) => {
  for (const { path, value } of walk.indicators) {
    if (own(value, 'semantic') === undefined) continue
    report([...path, 'semantic'], 'semantic detection is experimental: its verdict depends on the model that judges', {
      at: 'key',
    })
  }
}
