import { expect, test } from 'vitest'
import { findings, testRule } from '../harness.ts'

const phase = (mode: string, event: string) =>
  `attack: { execution: { mode: ${mode}, phases: [{ trigger: { event: ${event} } }] } }`

testRule('V-029', {
  valid: [
    phase('mcp_server', 'tools/call'),
    phase('mcp_client', 'notifications/elicitation/complete'),
    phase('mcp_client', 'sampling/createMessage'),
    phase('a2a_client', 'task/status'),
    phase('ag_ui_client', 'tool_call_start'),
    phase('voice_server', 'hang_up'),
    phase('mcp_server', '[tools/call]'),
    'attack: { execution: { phases: [{ trigger: { event: hang_up } }] } }',
    'attack: { execution: { mode: mcp_server, phases: [{ mode: a2a_server, trigger: { event: message/send } }] } }',
  ],
  invalid: [
    [phase('mcp_server', 'tool/call'), 'attack.execution.phases[0].trigger.event'],
    [phase('mcp_server', 'message/send'), 'attack.execution.phases[0].trigger.event'],
    [phase('mcp_server', 'notifications/elicitation/complete'), 'attack.execution.phases[0].trigger.event'],
    [phase('a2a_server', 'task/status'), 'attack.execution.phases[0].trigger.event'],
    [phase('mcp_server', 'sampling/createMessage'), 'attack.execution.phases[0].trigger.event'],
    [phase('mcp_server', 'elicitation/create'), 'attack.execution.phases[0].trigger.event'],
    [phase('mcp_server', 'roots/list'), 'attack.execution.phases[0].trigger.event'],
    [
      'attack: { execution: { phases: [{ mode: mcp_server, trigger: { event: x } }] } }',
      'attack.execution.phases[0].trigger.event',
    ],
    [
      'attack: { execution: { actors: [{ mode: a2a_server, phases: [{}, { trigger: { event: tools/call } }] }] } }',
      'attack.execution.actors[0].phases[1].trigger.event',
    ],
  ],
  message: 'unknown event "tool/call" for mcp_server, so the trigger may never fire. Did you mean "tools/call"?',
})

test('a reply to a server is an event that only this tool reports', () => {
  const [found] = findings('V-029', phase('mcp_server', 'elicitation/create'))
  expect(found?.message).toBe(
    '"elicitation/create" is not an event of mcp_server in OATF §7, so other tools may never fire the trigger',
  )
})

test('an event of another mode is recognized', () => {
  const [found] = findings('V-029', phase('mcp_server', 'message/send'))
  expect(found?.message).toContain('it is an event of a2a_server, a2a_client')
})
