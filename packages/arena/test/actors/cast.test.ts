import { expect, test } from 'vitest'
import { checkState } from '../../src/actors/cast.ts'

function findings(mode: string, ...states: unknown[]): string[] {
  const found: string[] = []
  const phases = states.map((state) => ({ state: state as never }))
  checkState({ name: 'a', mode, phases }, 'actors[0]', (code, message, path, more) =>
    found.push(`${code} ${path}: ${message}${more?.suggestion === undefined ? '' : ` → ${more.suggestion.with}`}`),
  )
  return found
}

test('known keys and extensions are not reported', () => {
  expect(findings('mcp_server', { tools: [], prompts: [], elicitations: [], 'x-note': 1 })).toEqual([])
  expect(findings('mcp_client', { client_info: {}, actions: [], roots: [] })).toEqual([])
  expect(findings('a2a_server', { agent_card: {}, task_responses: [] })).toEqual([])
  expect(findings('ag_ui_client', { run_agent_input: {}, tool_responses: [] })).toEqual([])
})

test('an unknown key is reported with a suggestion', () => {
  expect(findings('a2a_server', { agent_card: {} }, { task_response: [] })).toEqual([
    'unknown-state-key actors[0].phases[1].state.task_response: unknown state key "task_response" for a2a_server → task_responses',
  ])
})

test('a state that is not a mapping is reported; an inherited one is checked once', () => {
  expect(findings('mcp_server', 'tools', undefined)).toEqual([
    'state-malformed actors[0].phases[0].state: the state is not a mapping, so it was ignored',
  ])
})

test('wire 11: both sides of MCP know protocol_version', () => {
  expect(findings('mcp_client', { protocol_version: '2026-07-28' })).toEqual([])
  expect(findings('mcp_server', { protocol_version: '2026-07-28' })).toEqual([])
})

test('wire 7: protocol_version is a string', () => {
  expect(findings('mcp_server', { protocol_version: 20251125 })).toEqual([
    'state-malformed actors[0].phases[0].state.protocol_version: protocol_version: expected a string, got an integer; it was sent as written',
  ])
})
