import { isList, isRecord, own, suggestions } from '@joust/source'
import { type PhaseSite, textOf } from '../../rules/walk.ts'
import { meantName } from '../meant.ts'
import type { LintRule } from '../rule.ts'

const KEY = 'run_agent_input'

/** A state of `ag_ui_client` has a `run_agent_input` (L-016): without it no run of the agent begins. */
export const runAgentInputGiven: LintRule = {
  summary: 'A state of `ag_ui_client` has a `run_agent_input`.',
  check({ walk }, report) {
    const hint = suggestions()
    for (const phase of walk.phases) {
      const state = own(phase.value, 'state')
      if (phase.mode !== 'ag_ui_client' || !isRecord(state) || Object.hasOwn(state, KEY) || sendsInput(phase)) continue
      // Misspelled, which is reported as such.
      if (Object.keys(state).some((key) => meantName(key, [KEY], hint) !== undefined)) continue
      report([...phase.path, 'state'], `the state has no "${KEY}", so that no run of the agent begins`, { at: 'key' })
    }
  },
  good: `
oatf: "0.1"
attack:
  execution:
    mode: ag_ui_client
    state:
      run_agent_input: { threadId: a, runId: b, messages: [{ id: c, role: user, content: Hello }] }
  indicators:
    - surface: text_message_content
      target: delta
      pattern: { contains: password }
`,
  bad: `
oatf: "0.1"
attack:
  execution:
    mode: ag_ui_client
    state:
      tool_responses: [{ content: { content: Sunny } }]
  indicators:
    - surface: text_message_content
      target: delta
      pattern: { contains: password }
`,
  path: 'attack.execution.state',
}

function sendsInput({ value }: PhaseSite): boolean {
  const actions = own(value, 'on_enter')
  if (!isList(actions)) return false
  return actions.some((action) => {
    const send = isRecord(action) ? own(action, 'send') : undefined
    return isRecord(send) && textOf(send, 'method')?.toLowerCase() === KEY
  })
}
