import { own } from '@joust/source'
import { MOST_REMEDIATION, REMEDIATION } from '../../model/remediation.ts'
import type { LintRule } from '../rule.ts'

export const remediationShort: LintRule = {
  summary: `\`x-joust-remediation\` describes a change to the agent or its host in at most ${MOST_REMEDIATION} characters.`,
  check({ walk }, report) {
    const text = own(walk.attack, REMEDIATION)
    if (text === undefined) return
    const path = ['attack', REMEDIATION]
    if (typeof text !== 'string' || text.trim() === '') report(path, 'expected a non-empty string')
    else if (text.length > MOST_REMEDIATION)
      report(path, `expected at most ${MOST_REMEDIATION} characters, got ${text.length}`)
  },
  good: `
oatf: "0.1"
attack:
  x-joust-remediation: Confirm every payment with the user.
  execution:
    mode: mcp_server
    state: { tools: [{ name: pay, description: Pays., inputSchema: { type: object } }] }
  indicators:
    - { surface: tools/call, target: name, pattern: { contains: pay } }
`,
  mistake: ['Confirm every payment with the user.', '[Confirm every payment with the user.]'],
  path: 'attack.x-joust-remediation',
}
