import { isList, own } from '@joust/source'
import { mcpServerDocument } from '../../rules/rule.ts'
import { siteAt } from '../../rules/walk.ts'
import type { LintRule } from '../rule.ts'

/** The lists of a server, and the capability under which a client looks for each. */
const lists = { tools: 'tools', resources: 'resources', resource_templates: 'resources', prompts: 'prompts' } as const

/** What a server lists is among its `capabilities`, where they are given (L-017): clients do not ask for the rest. */
export const capabilityDeclared: LintRule = {
  summary: 'What a server lists is among its `capabilities`, where they are given.',
  check({ walk }, report) {
    for (const phase of walk.phases) {
      const state = phase.mode === 'mcp_server' ? siteAt(phase, 'state') : undefined
      const capabilities = state && siteAt(state, 'capabilities')
      if (state === undefined || capabilities === undefined) continue
      for (const [key, capability] of Object.entries(lists)) {
        const entries = own(state.value, key)
        if (!isList(entries) || entries.length === 0 || Object.hasOwn(capabilities.value, capability)) continue
        const fault = `"capabilities" leaves out ${capability}, so no client asks for what ${key} lists`
        report(capabilities.path, `${fault}; add ${capability}: {}`, { at: 'key' })
      }
    }
  },
  good: mcpServerDocument(`
    state:
      capabilities: { tools: {}, logging: {} }
      tools: [{ name: search, description: Searches the web }]
  indicators:
    - surface: tools/call
      direction: request
      target: arguments
      pattern: { contains: password }
`),
  mistake: ['tools: {}, logging: {}', 'logging: {}'],
  path: 'attack.execution.state.capabilities',
}
