import { own } from '@joust/source'
import { durationFault } from '../../primitives/parse-duration.ts'
import type { Rule } from '../rule.ts'

export const gracePeriodDuration: Rule = {
  summary: '`attack.grace_period` is a duration.',
  check(walk, report) {
    const fault = durationFault(own(walk.attack, 'grace_period'))
    if (fault !== undefined) report(['attack', 'grace_period'], fault)
  },
  good: `
oatf: "0.1"
attack:
  grace_period: 30s
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['grace_period: 30s', 'grace_period: 30 seconds'],
  path: 'attack.grace_period',
}
