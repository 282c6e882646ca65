import type { RuleExamples } from '../example.ts'

/** A good and a bad document for each rule about the forms of an execution. */
export const executionExamples: RuleExamples = {
  'V-007': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases: []
`,
    path: 'attack.execution.phases',
  },
  'V-028': {
    good: `
oatf: "0.1"
attack:
  execution:
    phases:
      - mode: mcp_server
        state: { tools: [] }
        trigger: { event: tools/list }
      - mode: mcp_server
        state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    phases:
      - mode: mcp_server
        state: { tools: [] }
        trigger: { event: tools/list }
      - state: { tools: [] }
`,
    path: 'attack.execution.phases[1].mode',
  },
  'V-030': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
    phases:
      - state: { tools: [] }
`,
    path: 'attack.execution',
  },
  'V-031': {
    good: `
oatf: "0.1"
attack:
  execution:
    actors:
      - name: weather_server
        mode: mcp_server
        phases:
          - state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    actors:
      - name: Weather-Server
        mode: mcp_server
        phases:
          - state: { tools: [] }
`,
    path: 'attack.execution.actors[0].name',
  },
  'V-034': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp-server
    state: { tools: [] }
`,
    path: 'attack.execution.mode',
  },
  'W-002': {
    good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
    bad: `
oatf: "0.1"
attack:
  execution:
    mode: mpc_server
    state: { tools: [] }
`,
    path: 'attack.execution.mode',
  },
}
