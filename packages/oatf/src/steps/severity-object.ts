import { attackOf } from './draft.ts'
import type { Step } from './step.ts'

/**
 * Expands a severity level to an object with the default confidence
 * ([OATF §11.2.2](https://oatf.io/specification/conformance/)).
 */
export const severityObject: Step = {
  summary: 'Expand a severity level to an object.',
  apply(draft) {
    const attack = attackOf(draft)
    if (attack !== undefined && typeof attack.severity === 'string')
      attack.severity = { level: attack.severity, confidence: 50 }
  },
  before: `
oatf: "0.1"
attack:
  severity: high
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
}
