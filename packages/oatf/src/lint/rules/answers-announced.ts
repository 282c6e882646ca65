import { isList, own } from '@joust/source'
import { attackDocument } from '../../rules/rule.ts'
import { siteAt } from '../../rules/walk.ts'
import type { LintRule } from '../rule.ts'

/** The answers of a client, and the capability without which a server does not ask for each. */
const answers = { sampling_responses: 'sampling', elicitation_responses: 'elicitation' } as const

/** What a client has answers to is among its `capabilities` (L-025), which by default are only its roots (§7.1.5). */
export const answersAnnounced: LintRule = {
  summary: 'What an MCP client has answers to, it announces in the `capabilities` of its first state.',
  check({ walk }, report) {
    for (const { mode, phases } of walk.actors) {
      const states = mode === 'mcp_client' ? phases.flatMap((phase) => siteAt(phase, 'state') ?? []) : []
      // The handshake is made in the first phase.
      const announced = own(states[0]?.value, 'capabilities') ?? {}
      for (const { path, value } of states)
        for (const [key, capability] of Object.entries(answers)) {
          const given = own(value, key)
          if (!isList(given) || given.length === 0 || own(announced, capability) !== undefined) continue
          const fault = `a server asks only clients that announce ${capability}, so ${key} may never be used`
          report([...path, key], `${fault}; add ${capability}: {} to "capabilities"`, { at: 'key' })
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
