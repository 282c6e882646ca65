import { isList, own } from '@joust/source'
import { callsDocument } from '../../rules/rule.ts'
import { siteAt } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

/** The lists of a server, and the capability that clients check before they request each list. */
const lists = { tools: 'tools', resources: 'resources', resource_templates: 'resources', prompts: 'prompts' } as const

/** Clients do not request a list if the server does not declare the capability. */
export const serverCapabilityDeclared: LintRule = {
  summary: 'The `capabilities` of a server, if present, include everything that the server lists.',
  check({ walk }, report) {
    for (const phase of walk.phases) {
      const state = phase.mode === 'mcp_server' ? siteAt(phase, 'state') : undefined
      const capabilities = state && siteAt(state, 'capabilities')
      if (state === undefined || capabilities === undefined) continue
      for (const [key, capability] of Object.entries(lists)) {
        const entries = own(state.value, key)
        if (!isList(entries) || entries.length === 0 || Object.hasOwn(capabilities.value, capability)) continue
        const fault = `"capabilities" lacks ${capability}, so clients never request ${key}`
        report(capabilities.path, `${fault}; add ${capability}: {}`, { at: 'key' })
      }
    }
  },
  good: callsDocument(
    `
      capabilities: { tools: {}, logging: {} }
      tools: [{ name: search, description: Searches the web }]
`,
    'arguments',
    'password',
  ),
  mistake: ['tools: {}, logging: {}', 'logging: {}'],
  path: 'attack.execution.state.capabilities',
}
