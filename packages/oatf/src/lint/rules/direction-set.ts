import { own } from '@joust/source'
import { callsDocument, weatherTool } from '../../rules/rule.ts'
import type { LintRule } from '../rule.ts'
import { agentDirection, examinedFields, isIn } from '../targets.ts'

/** If `direction` is not set, both directions are eligible ([OATF §6](https://oatf.io/specification/indicators/)). */
export const directionSet: LintRule = {
  summary: 'An indicator that could match messages from the attacker sets a surface or a direction.',
  check({ subjects }, report) {
    for (const subject of subjects) {
      const { value, kinds, path } = subject
      if (own(value, 'direction') !== undefined || own(value, 'semantic') !== undefined) continue
      const attackerKinds = kinds.filter(({ fromAttacker }) => fromAttacker)
      const examined = examinedFields(subject).find((one) => isIn(one, attackerKinds))
      if (examined === undefined) continue
      const part = examined.shown === '' ? 'everything' : `"${examined.shown}"`
      const direction = agentDirection(subject)
      if (own(value, 'surface') === undefined) {
        const advice = direction === undefined ? 'set a surface' : `set a surface, or set direction: ${direction}`
        report(path, `the indicator examines ${part} on all surfaces, including messages from the attacker; ${advice}`)
      } else if (direction !== undefined && own(value, 'tier') !== 'ingested') {
        report(
          path,
          `the indicator examines ${part} in messages from both the agent and the attacker; set direction: ${direction}`,
        )
      }
    }
  },
  good: callsDocument(weatherTool, '""', 'secret'),
  mistake: ['surface: tools/call\n      direction: request\n      ', ''],
  path: 'attack.indicators[0]',
}
