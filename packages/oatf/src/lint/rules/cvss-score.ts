import { own } from '@joust/source'
import { CVSS, cvssOf } from '../../model/cvss.ts'
import type { LintRule } from '../rule.ts'

export const cvssScore: LintRule = {
  summary: '`x-joust-cvss` is a CVSS 4.0 base score, a number from 0 to 10.',
  check({ walk }, report) {
    const score = own(walk.attack, CVSS)
    if (score !== undefined && cvssOf(walk.attack) === undefined)
      report(['attack', CVSS], 'expected a number from 0 to 10')
  },
  good: `
oatf: "0.1"
attack:
  x-joust-cvss: 7.1
  execution:
    mode: mcp_server
    state: { tools: [{ name: pay, description: Pays., inputSchema: { type: object } }] }
  indicators:
    - { surface: tools/call, target: name, pattern: { contains: pay } }
`,
  mistake: ['7.1', '71'],
  path: 'attack.x-joust-cvss',
}
