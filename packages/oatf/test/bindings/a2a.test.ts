import { describe, expect, test } from 'vitest'
import { findBinding, findMode } from '../../src/bindings/table.ts'

// §7.2.2: synthetic names of streamed items are for clients only.
describe('events', () => {
  test.each([
    ['message/send', true, true],
    ['message/stream', true, true],
    ['tasks/get', true, true],
    ['tasks/cancel', true, true],
    ['tasks/resubscribe', true, true],
    ['tasks/pushNotificationConfig/set', true, true],
    ['agent/getAuthenticatedExtendedCard', true, true],
    ['agent_card/get', true, true],
    ['task/status', false, true],
    ['task/artifact', false, true],
    ['task/push', true, false],
    ['agent_card/keys', true, false],
    ['tools/call', false, false],
  ])('%s: server %s, client %s', (event, server, client) => {
    expect(findMode('a2a_server')?.events.includes(event)).toBe(server)
    expect(findMode('a2a_client')?.events.includes(event)).toBe(client)
  })
})

test('streamed items are surfaces', () => {
  expect(findBinding('a2a')?.surfaces).toEqual(
    expect.arrayContaining(['task/status', 'task/artifact', 'agent_card/get']),
  )
})

// §7.2.4 and §7.2.5.
test('structural keys of a state', () => {
  expect(findMode('a2a_server')?.stateKeys).toEqual([
    'agent_card',
    'task_responses',
    'x-joust-signature',
    'x-joust-headers',
  ])
  expect(findMode('a2a_client')?.stateKeys).toEqual(['actions', 'x-joust-headers'])
})
