import { isList, own } from '@joust/source'
import { describeValue } from '../../model/describe-value.ts'
import type { Rule } from '../rule.ts'

/** `attack.impact` names each category once (V-045). */
export const impactUnique: Rule = (walk, report) => {
  const impact = own(walk.attack, 'impact')
  if (!isList(impact)) return
  const repeated = new Set(impact.filter((item, index) => typeof item === 'string' && impact.indexOf(item) < index))
  if (repeated.size === 0) return
  report(['attack', 'impact'], `${[...repeated].map(describeValue).join(', ')} stands more than once; name each once`)
}
