import { expect, test } from 'vitest'
import { findMode } from '../../src/bindings/table.ts'

// §7.3.2: EventType in snake_case, and the synthetic name of the POST body.
test.each([
  ['run_agent_input', true],
  ['run_started', true],
  ['run_finished', true],
  ['run_error', true],
  ['text_message_content', true],
  ['tool_call_start', true],
  ['tool_call_args', true],
  ['tool_call_end', true],
  ['tool_call_chunk', true],
  ['tool_call_result', true],
  ['state_snapshot', true],
  ['state_delta', true],
  ['messages_snapshot', true],
  ['raw', true],
  ['custom', true],
  ['RUN_STARTED', false],
  ['runStarted', false],
  ['tools/call', false],
])('%s: %s', (event, known) => {
  expect(findMode('ag_ui_client')?.events.includes(event)).toBe(known)
})

test('every event is snake_case', () => {
  for (const event of findMode('ag_ui_client')?.events ?? []) expect(event).toMatch(/^[a-z]+(_[a-z]+)*$/)
})

// §7.3.4.
test('structural keys of a state', () => {
  expect(findMode('ag_ui_client')?.stateKeys).toEqual([
    'run_agent_input',
    'tool_responses',
    'x-joust-resume',
    'x-joust-headers',
  ])
})
