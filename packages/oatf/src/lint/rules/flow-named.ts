import { isRecord, own, ownText } from '@joust/source'
import { FLOW, flowKeys, flowPatternOf } from '../../model/flow-pattern.ts'
import type { LintRule } from '../rule.ts'

export const flowNamed: LintRule = {
  summary:
    '`x-joust-flow` belongs to an indicator. `from` is an origin (`untrusted`, `private`, `user`) or a tool; `to` is `tool` or `tool.argument`.',
  check({ walk }, report) {
    for (const { value, path } of walk.indicators) {
      const flow = own(value, FLOW)
      if (flow === undefined) continue
      const at = [...path, FLOW]
      if (!isRecord(flow)) {
        report(at, 'expected `from` and `to`')
        continue
      }
      const wrong = flowKeys.find((key) => (ownText(flow, key) ?? '') === '')
      if (wrong !== undefined) report(at, `expected a string in \`${wrong}\``)
      else if (flowPatternOf(value) === undefined)
        report([...at, 'to'], `expected TOOL or TOOL.ARGUMENT, such as send_email.to`)
      for (const key of Object.keys(flow))
        if (!flowKeys.some((known) => known === key)) report([...at, key], 'unknown key; expected `from` and `to`')
    }
    if (own(walk.attack, FLOW) !== undefined) report(['attack', FLOW], 'only valid on an indicator')
  },
  good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      tools:
        - { name: read_issue, description: Reads an issue., inputSchema: { type: object } }
        - { name: send_email, description: Sends mail., inputSchema: { type: object, properties: { to: { type: string } } } }
  indicators:
    - surface: tools/call
      target: name
      pattern: { condition: send_email }
      x-joust-flow: { from: untrusted, to: send_email.to }
`,
  mistake: ['to: send_email.to }', 'to: .to }'],
  path: 'attack.indicators[0].x-joust-flow.to',
}
