import { isList, own } from '@joust/source'
import { attackDocument } from '../../rules/rule.ts'
import { siteAt } from '../../walk/walk.ts'
import type { LintRule } from '../rule.ts'

/** Client responses, and the capability that servers require before they send the request. */
const capabilities = { sampling_responses: 'sampling', elicitation_responses: 'elicitation' } as const

/**
 * By default, a client declares only its roots ([OATF §7.1.5](https://oatf.io/specification/protocol-bindings/mcp/)).
 */
export const clientCapabilityDeclared: LintRule = {
  summary: 'An MCP client with sampling or elicitation responses declares the capability in its first state.',
  check({ walk }, report) {
    for (const { mode, phases } of walk.actors) {
      const states = mode === 'mcp_client' ? phases.flatMap((phase) => siteAt(phase, 'state') ?? []) : []
      // The handshake happens in the first phase.
      const declared = own(states[0]?.value, 'capabilities') ?? {}
      for (const { path, value } of states)
        for (const [key, capability] of Object.entries(capabilities)) {
          const responses = own(value, key)
          if (!isList(responses) || responses.length === 0 || own(declared, capability) !== undefined) continue
          const reason = `servers send no ${capability} requests to a client that does not declare ${capability}`
          report([...path, key], `${key} may never be used: ${reason}; add ${capability}: {} to "capabilities"`, {
            at: 'key',
          })
        }
    }
  },
  good: attackDocument(`
    mode: mcp_client
    state:
      capabilities: { sampling: {}, roots: {} }
      actions: [{ method: tools/call, params: { name: summarize, arguments: { text: The minutes } } }]
      sampling_responses: [{ content: { role: assistant, content: { type: text, text: Done. }, model: m } }]
  indicators:
    - surface: sampling/createMessage
      direction: request
      target: messages[*].content.text
      pattern: { contains: password }
  x-joust-bait: [attack.execution.state.actions]
`),
  mistake: ['sampling: {}, roots: {}', 'roots: {}'],
  path: 'attack.execution.state.sampling_responses',
}
