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
}
