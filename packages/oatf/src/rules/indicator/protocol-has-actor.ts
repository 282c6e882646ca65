import { describeValue } from '@joust/source'
import { protocolsOf, writtenModes } from '../modes.ts'
import { isMode } from '../names.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

const MOST_LISTED = 5

export const protocolHasActor: Rule = {
  summary: 'At least one actor uses the protocol of an indicator.',
  check(walk, report) {
    const actorProtocols = protocolsOf(walk)
    // Other rules report missing and invalid modes.
    if (actorProtocols.size === 0 || writtenModes(walk).some(({ value }) => !isMode(String(value)))) return
    for (const { path, protocol } of walk.indicators) {
      if (protocol === undefined || actorProtocols.has(protocol)) continue
      const listed = [...actorProtocols].slice(0, MOST_LISTED).map(describeValue).join(', ')
      report(
        [...path, 'protocol'],
        `no actor uses the protocol ${describeValue(protocol)}, so the indicator can never match; actors use ${listed}`,
      )
    }
  },
  good: indicatorsDocument(`
    - protocol: mcp
      target: arguments.note
      pattern: { contains: PRIVATE KEY }
`),
  mistake: ['- protocol: mcp\n      target: arguments.note', '- protocol: a2a\n      target: "parts[*].text"'],
  path: 'attack.indicators[0].protocol',
}
