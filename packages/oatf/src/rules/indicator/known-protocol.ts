import { describeValue, ownText, suggestions } from '@joust/source'
import { observedProtocols } from '../../bindings/observed.ts'
import { knownProtocols } from '../../bindings/table.ts'
import { protocolsOf } from '../modes.ts'
import { isSnakeCase } from '../names.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

export const knownProtocol: Rule = {
  summary: 'A protocol is defined by one of the included bindings.',
  check(walk, report) {
    const actorProtocols = protocolsOf(walk)
    const protocols = [...knownProtocols(), ...observedProtocols(walk)]
    const candidates = new Set([...protocols, ...actorProtocols])
    const hint = suggestions()
    for (const { path, value } of walk.indicators) {
      const protocol = ownText(value, 'protocol')
      if (protocol === undefined || !isSnakeCase(protocol) || protocols.includes(protocol)) continue
      const message = `unknown protocol ${describeValue(protocol)}; expected one of: ${protocols.join(', ')}.`
      report([...path, 'protocol'], message, {
        correction: actorProtocols.has(protocol) ? undefined : hint(protocol, candidates),
      })
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
