import { describeValue, own, suggest } from '@joust/source'
import { tiers } from '../../model/enumerations.ts'
import type { Rule } from '../rule.ts'

/** `indicator.tier` is one of the three tiers (V-050). */
export const tierKnown: Rule = (walk, report) => {
  for (const { path, value } of walk.indicators) {
    const tier = own(value, 'tier')
    if (tier === undefined || tiers.some((known) => known === tier)) continue
    const meant = typeof tier === 'string' ? suggest(tier, tiers) : undefined
    report([...path, 'tier'], `${describeValue(tier)} is not one of ${tiers.join(', ')}.`, { meant })
  }
}
