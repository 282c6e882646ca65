import { indicatorId } from '../primitives/indicator-id.ts'
import { attackOf, mappingsAt, setDefault } from './draft.ts'
import type { Step } from './step.ts'

/**
 * Generates an id for each indicator that lacks one, from the position of the indicator ([OATF
 * §11.2.3](https://oatf.io/specification/conformance/)).
 */
export const indicatorIds: Step = {
  summary: 'Give an id to every indicator that has none.',
  apply(draft) {
    const attack = attackOf(draft)
    const attackId = typeof attack?.id === 'string' ? attack.id : undefined
    for (const [index, indicator] of mappingsAt(attack, 'indicators'))
      setDefault(indicator, 'id', indicatorId(attackId, { target: '' }, index))
  },
  before: `
oatf: "0.1"
attack:
  id: ACME-007
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: tools[*].description
      pattern: { contains: "ignore previous" }
    - target: tools[*].name
      pattern: { contains: "admin" }
`,
}
