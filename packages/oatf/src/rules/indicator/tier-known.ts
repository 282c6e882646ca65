import { describeValue, own, suggest } from '@joust/source'
import { tiers } from '../../model/enumerations.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const tierKnown: Rule = {
  summary: '`indicator.tier` is one of ingested, local_action, boundary_breach.',
  check(walk, report) {
    for (const { path, value } of walk.indicators) {
      const tier = own(value, 'tier')
      if (tier === undefined || tiers.some((name) => name === tier)) continue
      const correction = typeof tier === 'string' ? suggest(tier, tiers) : undefined
      report([...path, 'tier'], `unknown tier ${describeValue(tier)}; expected one of: ${tiers.join(', ')}.`, {
        correction,
      })
    }
  },
  good: indicatorsDocument(`
    - tier: boundary_breach
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- tier: boundary_breach', '- tier: breach'],
  path: 'attack.indicators[0].tier',
}
