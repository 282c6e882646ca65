import { expect, test } from 'vitest'
import { isMode, isSnakeCase, snakeCaseFault } from '../../src/rules/names.ts'

test.each(['a', 'mcp', 'ag_ui', 'a2a', 'x_'])('%s is snake_case', (name) => {
  expect(isSnakeCase(name)).toBe(true)
})

test.each(['', 'A', '2a', '_a', 'a-b', 'a.b', 'é', 'a\n'])('%j is not snake_case', (name) => {
  expect(isSnakeCase(name)).toBe(false)
})

test.each(['mcp_server', 'ag_ui_client', 'a__server', 'x_server_client'])('%s is a mode', (mode) => {
  expect(isMode(mode)).toBe(true)
})

test.each(['server', '_server', 'mcp', 'mcp_peer', 'MCP_server', 'mcp_servers', 'mcp_server\n'])(
  '%j is not a mode',
  (mode) => {
    expect(isMode(mode)).toBe(false)
  },
)

test('a finding suggests the snake_case spelling, where there is one', () => {
  expect(snakeCaseFault('Auth Token')[1]).toEqual({ correction: 'auth_token' })
  expect(snakeCaseFault('2nd')).toHaveLength(1)
  expect(snakeCaseFault('A'.repeat(65))).toHaveLength(1)
  expect(snakeCaseFault(5)[0]).toContain('an integer (5) is not snake_case')
})
