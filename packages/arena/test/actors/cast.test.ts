import { expect, test } from 'vitest'
import { checkState } from '../../src/actors/cast.ts'

function findings(mode: string, ...states: unknown[]): string[] {
  const found: string[] = []
  const phases = states.map((state) => ({ state: state as never }))
  checkState({ name: 'a', mode, phases }, 'actors[0]', (code, message, path, suggestion) =>
    found.push(`${code} ${path}: ${message}${suggestion === undefined ? '' : ` → ${suggestion.with}`}`),
  )
  return found
}

test('every key that the binding knows is silent, and so are extensions', () => {
  expect(findings('mcp_server', { tools: [], prompts: [], elicitations: [], 'x-note': 1 })).toEqual([])
  expect(findings('mcp_client', { client_info: {}, actions: [], roots: [] })).toEqual([])
  expect(findings('a2a_server', { agent_card: {}, task_responses: [] })).toEqual([])
  expect(findings('ag_ui_client', { run_agent_input: {}, tool_responses: [] })).toEqual([])
})

test('an unknown key is told, with what may have been meant', () => {
  expect(findings('a2a_server', { agent_card: {} }, { task_response: [] })).toEqual([
    'unknown-state-key actors[0].phases[1].state.task_response: a2a_server has no state key "task_response" → task_responses',
  ])
})

test('a state of another kind is told; one that is inherited is not looked at twice', () => {
  expect(findings('mcp_server', 'tools', undefined)).toEqual([
    'state-malformed actors[0].phases[0].state: the state is not a mapping, so nothing of it is used',
  ])
})

test('wire 11: a key of mcp_client that the binding does not have is told, even where it is used', () => {
  expect(findings('mcp_client', { protocol_version: '2026-07-28' })).toEqual([
    'unknown-state-key actors[0].phases[0].state.protocol_version: mcp_client has no state key "protocol_version"; it is used anyway',
  ])
})

test('wire 7: protocol_version is a string', () => {
  expect(findings('mcp_server', { protocol_version: 20251125 })).toEqual([
    'state-malformed actors[0].phases[0].state.protocol_version: protocol_version is an integer; it must be a string; it is sent as it is',
  ])
})
