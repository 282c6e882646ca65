import { describeValue, isInteger, own } from '@joust/source'
import type { Rule } from '../rule.ts'

export const versionPositive: Rule = {
  summary: '`attack.version` is a positive integer.',
  check(walk, report) {
    const version = own(walk.attack, 'version')
    if (version === undefined) return
    if (isInteger(version) && version >= 1) return
    report(['attack', 'version'], `expected an integer of at least 1, got ${describeValue(version)}`)
  },
  good: `
oatf: "0.1"
attack:
  version: 2
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['version: 2', 'version: 0'],
  path: 'attack.version',
}
