import { describeValue, isRecord, own } from '@joust/source'
import type { Rule } from '../rule.ts'

export const oneAttack: Rule = {
  summary: 'The document contains exactly one `attack` object.',
  check(walk, report) {
    const attack = own(walk.document, 'attack')
    if (attack === undefined) report(['attack'], 'the field "attack" is required: a mapping with at least "execution"')
    else if (!isRecord(attack))
      report(['attack'], `expected a mapping, got ${describeValue(attack)}; a document contains a single attack`)
  },
  good: `
oatf: "0.1"
attack:
  name: Poisoned calculator
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['  name:', '- name:'],
  path: 'attack',
}
