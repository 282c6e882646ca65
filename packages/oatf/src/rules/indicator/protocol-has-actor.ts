import { describeValue } from '@joust/source'
import { spokenProtocols } from '../modes.ts'
import { indicatorsDocument, type Rule } from '../rule.ts'

const MOST_LISTED = 5

export const protocolHasActor: Rule = {
  summary: 'The protocol of an indicator is that of some actor.',
  check(walk, report) {
    const spoken = spokenProtocols(walk)
    // Without any mode the document is at fault elsewhere.
    if (spoken.size === 0) return
    for (const { path, protocol } of walk.indicators) {
      if (protocol === undefined || spoken.has(protocol)) continue
      const speak = [...spoken].slice(0, MOST_LISTED).map(describeValue).join(', ')
      report(
        [...path, 'protocol'],
        `no actor speaks ${describeValue(protocol)}, so the indicator can never match; the actors speak ${speak}`,
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
