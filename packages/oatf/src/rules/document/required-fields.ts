import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

/** `attack.execution` is present and a mapping (V-004). Silent without an attack, which is another rule's finding. */
export const requiredFields: Rule = {
  summary: '`attack.execution` is present.',
  check(walk, report) {
    if (!isRecord(own(walk.document, 'attack'))) return
    const execution = own(walk.attack, 'execution')
    if (isRecord(execution)) return
    const seen =
      execution === undefined
        ? 'the field "execution" is required'
        : `expected a mapping, got ${describeValue(execution)}`
    report(['attack', 'execution'], `${seen}: it says what the attacker does, in "state", "phases" or "actors"`)
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
