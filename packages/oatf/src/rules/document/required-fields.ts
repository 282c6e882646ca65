import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** Another rule reports a missing attack. */
export const requiredFields: Rule = {
  summary: '`attack.execution` is present.',
  check(walk, report) {
    if (!isRecord(own(walk.document, 'attack'))) return
    const execution = own(walk.attack, 'execution')
    if (isRecord(execution)) return
    const fault =
      execution === undefined
        ? 'the field "execution" is required'
        : `expected a mapping, got ${describeValue(execution)}`
    report(['attack', 'execution'], `${fault}: it describes the attacker with "state", "phases" or "actors"`)
  },
  good: `
oatf: "0.1"
attack:
  name: Poisoned calculator
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['execution:\n    mode: mcp_server\n    state: { tools: [] }', 'severity: high'],
  path: 'attack.execution',
}
