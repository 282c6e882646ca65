import { own } from '@joust/source'
import { mcpServerDocument, type Rule } from '../rule.ts'

export const correlationNeedsIndicators: Rule = {
  summary: '`correlation` requires `indicators`.',
  check(walk, report) {
    if (own(walk.attack, 'correlation') === undefined || own(walk.attack, 'indicators') !== undefined) return
    report(['attack', 'correlation'], '"correlation" requires "indicators"; add indicators or remove "correlation"', {
      at: 'key',
    })
  },
  good: mcpServerDocument(`
    state: { tools: [] }
  indicators:
    - surface: tools/call
      target: arguments.path
      pattern: { contains: .ssh/id_rsa }
  correlation: { logic: all }
`),
  mistake: [
    '  indicators:\n    - surface: tools/call\n      target: arguments.path\n      pattern: { contains: .ssh/id_rsa }\n',
    '',
  ],
  path: 'attack.correlation',
}
