import { isList, isRecord, own } from '@joust/source'
import type { LintRule } from '../rule.ts'

/** The lists of a server, and the capability under which a client looks for each. */
const lists = { tools: 'tools', resources: 'resources', resource_templates: 'resources', prompts: 'prompts' } as const

/** What a server lists is among its `capabilities`, where they are given (L-017): a client does not ask for the rest. */
export const capabilityDeclared: LintRule = {
  summary: 'What a server lists is among its `capabilities`, where they are given.',
  check({ walk }, report) {
    for (const phase of walk.phases) {
      const state = own(phase.value, 'state')
      const capabilities = isRecord(state) ? own(state, 'capabilities') : undefined
      if (phase.mode !== 'mcp_server' || !isRecord(state) || !isRecord(capabilities)) continue
      for (const [key, capability] of Object.entries(lists)) {
        const entries = own(state, key)
        if (!isList(entries) || entries.length === 0 || Object.hasOwn(capabilities, capability)) continue
        const fault = `"capabilities" leaves out ${capability}, so that no client asks for what ${key} lists`
        report([...phase.path, 'state', 'capabilities'], `${fault}; add ${capability}: {}`, { at: 'key' })
      }
    }
  },
  good: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      capabilities: { tools: {}, logging: {} }
      tools: [{ name: search, description: Searches the web }]
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`,
  bad: `
oatf: "0.1"
attack:
  execution:
    mode: mcp_server
    state:
      capabilities: { logging: {} }
      tools: [{ name: search, description: Searches the web }]
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`,
  path: 'attack.execution.state.capabilities',
}
