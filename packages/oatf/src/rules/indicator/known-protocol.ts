import { describeValue, ownText, suggestions } from '@joust/source'
import { knownProtocols } from '../../bindings/table.ts'
import { spokenProtocols } from '../modes.ts'
import { isSnakeCase } from '../names.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const knownProtocol: Rule = {
  summary: 'A protocol belongs to an included binding.',
  check(walk, report) {
    const spoken = spokenProtocols(walk)
    const known = knownProtocols()
    const candidates = new Set([...known, ...spoken])
    const hint = suggestions()
    for (const { path, value } of walk.indicators) {
      const protocol = ownText(value, 'protocol')
      if (protocol === undefined || !isSnakeCase(protocol) || known.includes(protocol)) continue
      const message = `${describeValue(protocol)} is not one of ${known.join(', ')}.`
      report([...path, 'protocol'], message, { meant: spoken.has(protocol) ? undefined : hint(protocol, candidates) })
    }
  },
  good: indicatorsDocument(`
    - protocol: mcp
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- protocol: mcp', '- protocol: mpc'],
  path: 'attack.indicators[0].protocol',
}
