import { describeValue, isList, own, type Value } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `attack.impact` names each category once (V-045). */
export const impactUnique: Rule = (walk, report) => {
  const impact = own(walk.attack, 'impact')
  if (!isList(impact)) return
  const seen = new Set<Value>()
  const repeated = new Set<Value>()
  for (const item of impact) {
    if (seen.has(item)) repeated.add(item)
    seen.add(item)
  }
  if (repeated.size === 0) return
  report(['attack', 'impact'], `${[...repeated].map(describeValue).join(', ')} stands more than once; name each once`)
}
