import type { RuleExamples } from '../example.ts'

/** A good and a bad document for each rule about the attack envelope. */
export const attackExamples: RuleExamples = {
  'V-017': {
    good: `
oatf: "0.1"
attack:
  severity: { level: high, confidence: 80 }
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  severity: { level: high, confidence: 180 }
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.severity.confidence',
  },
  'V-023': {
    good: `
oatf: "0.1"
attack:
  id: ACME-007
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  id: acme-7
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.id',
  },
  'V-035': {
    good: `
oatf: "0.1"
attack:
  version: 2
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  version: 0
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.version',
  },
  'V-045': {
    good: `
oatf: "0.1"
attack:
  impact: [data_exfiltration, credential_theft]
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  impact: [data_exfiltration, credential_theft, data_exfiltration]
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.impact',
  },
  'V-046': {
    good: `
oatf: "0.1"
attack:
  grace_period: 30s
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  grace_period: 30 seconds
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.grace_period',
  },
  'V-047': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - surface: tools/call
      target: arguments.path
      pattern: { contains: .ssh/id_rsa }
  correlation: { logic: all }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  correlation: { logic: all }
`,
    path: 'attack.correlation',
  },
}
