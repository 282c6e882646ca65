/** A document for each step to work on; what comes out is computed, not written down. */
export const stepExamples: { readonly [code: string]: string } = {
  'N-001': `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: tools[*].description
      pattern: { contains: "ignore previous" }
`,
  'N-002': `
oatf: "0.1"
attack:
  severity: high
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  'N-003': `
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
  'N-004': `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: tools[*].description
      pattern: { contains: "ignore previous" }
`,
  'N-005': `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
  indicators:
    - target: tools[*].description
      pattern: { contains: "ignore previous" }
`,
  'N-006': `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
  'N-007': `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    phases:
      - state: { tools: [] }
        trigger: { event: tools/call }
      - state: { tools: [{ name: other }] }
`,
  'N-008': `
oatf: "0.1"
attack:
  classification:
    tags: [Tool Poisoning, MCP]
  execution:
    mode: mcp_server
    state: { tools: [] }
`,
}
