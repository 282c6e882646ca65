import { describeValue, isList, own, type Value } from '@joust/source'
import type { Rule } from '../rule.ts'

export const impactUnique: Rule = {
  summary: '`attack.impact` has no duplicates.',
  check(walk, report) {
    const impact = own(walk.attack, 'impact')
    if (!isList(impact)) return
    const earlier = new Set<Value>()
    const repeated = new Set<Value>()
    for (const item of impact) {
      if (earlier.has(item)) repeated.add(item)
      earlier.add(item)
    }
    if (repeated.size === 0) return
    report(['attack', 'impact'], `duplicate impact ${[...repeated].map(describeValue).join(', ')}`)
  },
  good: `
oatf: "0.1"
attack:
  impact: [data_exfiltration, credential_theft]
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['credential_theft]', 'credential_theft, data_exfiltration]'],
  path: 'attack.impact',
}
