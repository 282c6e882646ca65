import { ownText, suggestions } from '@joust/source'
import { attackDocument } from '../../rules/rule.ts'
import { sendsOf, siteAt } from '../../walk/walk.ts'
import { closestName } from '../closest-name.ts'
import type { LintRule } from '../rule.ts'

const KEY = 'run_agent_input'

/**
 * If there is no input, the client does not start an agent run ([OATF
 * §7.3.4](https://oatf.io/specification/protocol-bindings/ag-ui/)).
 */
export const runAgentInputPresent: LintRule = {
  summary: 'A state of `ag_ui_client` has a `run_agent_input`.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const phase of walk.phases) {
      const state = siteAt(phase, 'state')
      if (phase.mode !== 'ag_ui_client' || state === undefined || Object.hasOwn(state.value, KEY)) continue
      if (sendsOf(phase).some(({ value }) => ownText(value, 'method')?.toLowerCase() === KEY)) continue
      // A misspelled key is reported by another rule.
      if (Object.keys(state.value).some((key) => closestName(key, [KEY], hint) !== undefined)) continue
      report(state.path, `missing "${KEY}", so the agent is never started`, { at: 'key' })
    }
  },
  good: attackDocument(`
    mode: ag_ui_client
    state:
      run_agent_input: { threadId: a, runId: b, messages: [{ id: c, role: user, content: Hello }] }
  indicators:
    - surface: text_message_content
      target: delta
      pattern: { contains: password }
`),
  mistake: [
    'run_agent_input: { threadId: a, runId: b, messages: [{ id: c, role: user, content: Hello }] }',
    'tool_responses: [{ content: { content: Sunny } }]',
  ],
  path: 'attack.execution.state',
}
