import { describeValue, own } from '@joust/source'
import type { Rule } from '../rule.ts'

export const severityConfidenceRange: Rule = {
  summary: '`severity.confidence` is between 0 and 100.',
  check(walk, report) {
    const confidence = own(own(walk.attack, 'severity'), 'confidence')
    if (confidence === undefined || isPercentage(confidence)) return
    const path = ['attack', 'severity', 'confidence']
    report(path, `expected an integer from 0 (no confidence) to 100 (certain), got ${describeValue(confidence)}`)
  },
  good: `
oatf: "0.1"
attack:
  severity: { level: high, confidence: 80 }
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  mistake: ['confidence: 80', 'confidence: 180'],
  path: 'attack.severity.confidence',
}

function isPercentage(value: unknown): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 100
}
