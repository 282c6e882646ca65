import { describe, expect, test } from 'vitest'
import { findMode } from '../../src/bindings/table.ts'

// §7.1.2 and the methods of MCP 2025-11-25.
describe('events', () => {
  test.each([
    ['initialize', true, true],
    ['ping', true, true],
    ['tools/list', true, true],
    ['tools/call', true, true],
    ['resources/read', true, true],
    ['resources/templates/list', true, true],
    ['prompts/get', true, true],
    ['completion/complete', true, true],
    ['logging/setLevel', true, true],
    ['sampling/createMessage', true, true],
    ['elicitation/create', true, true],
    ['roots/list', true, true],
    // a client's notifications reach a server, a server's a client
    ['notifications/initialized', true, false],
    ['notifications/roots/list_changed', true, false],
    ['notifications/cancelled', true, true],
    ['notifications/progress', true, true],
    ['notifications/message', false, true],
    ['notifications/tools/list_changed', false, true],
    ['notifications/resources/updated', false, true],
    ['notifications/prompts/list_changed', false, true],
    // MCP 2026-07-28
    ['server/discover', true, true],
    ['subscriptions/listen', true, true],
    ['tasks/update', true, true],
    ['notifications/subscriptions/acknowledged', false, true],
    ['notifications/tasks', false, true],
    ['http/page', true, false],
    ['tools/delete', false, false],
    ['Tools/Call', false, false],
    ['message/send', false, false],
  ])('%s: server %s, client %s', (event, server, client) => {
    expect(findMode('mcp_server')?.events.includes(event)).toBe(server)
    expect(findMode('mcp_client')?.events.includes(event)).toBe(client)
  })
})

// §7.1.4 and §7.1.5.
test('structural keys of a state', () => {
  expect(findMode('mcp_server')?.stateKeys).toEqual([
    'protocol_version',
    'server_info',
    'instructions',
    'capabilities',
    'tools',
    'resources',
    'resource_templates',
    'prompts',
    'elicitations',
    'x-joust-headers',
    'x-joust-cache',
    'x-joust-pages',
  ])
  expect(findMode('mcp_client')?.stateKeys).toEqual([
    'protocol_version',
    'client_info',
    'capabilities',
    'actions',
    'sampling_responses',
    'elicitation_responses',
    'roots',
    'x-joust-headers',
  ])
})
