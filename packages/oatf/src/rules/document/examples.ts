import type { RuleExamples } from '../example.ts'

/** A good and a bad document for each rule about the document as a whole. */
export const documentExamples: RuleExamples = {
  'V-001': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.9"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'oatf',
  },
  'V-003': {
    good: `
oatf: "0.1"
attack:
  name: Poisoned calculator
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  - name: Poisoned calculator
    execution:
      mode: mcp_server
      state: { tools: [] }
`,
    path: 'attack',
  },
  'V-004': {
    good: `
oatf: "0.1"
attack:
  name: Poisoned calculator
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  name: Poisoned calculator
  severity: high
`,
    path: 'attack.execution',
  },
  'V-005': {
    good: `
oatf: "0.1"
attack:
  severity: critical
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  severity: extreme
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    path: 'attack.severity',
  },
  'V-020': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [] }
        trigger: { event: tools/list }
      - state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: &empty { tools: [] }
        trigger: { event: tools/list }
      - state: { tools: [] }
`,
    path: 'attack.execution.phases[0].state',
  },
  'W-001': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
oatf: "0.1"
`,
    path: 'oatf',
  },
}
