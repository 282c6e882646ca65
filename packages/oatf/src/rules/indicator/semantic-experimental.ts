import { own } from '@joust/source'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const semanticExperimental: Rule = {
  summary: 'Semantic indicators are experimental.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      if (own(value, 'semantic') === undefined) continue
      report([...path, 'semantic'], 'semantic detection is experimental: the verdict depends on the judge model', {
        at: 'key',
      })
    }
  },
  good: indicatorsDocument(`
    - target: arguments.note
      pattern: { regex: "PRIVATE KEY|password" }
`),
  mistake: ['pattern: { regex: "PRIVATE KEY|password" }', 'semantic: { intent: Hands over a key or a password }'],
  path: 'attack.indicators[0].semantic',
}
