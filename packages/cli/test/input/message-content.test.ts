import { expect, test } from 'vitest'
import { messageContent } from '../../src/input/message-content.ts'

test.each(['params', 'result', 'error'])('of a JSON-RPC message the %s counts', (part) => {
  expect(messageContent({ jsonrpc: '2.0', id: 1, [part]: { a: 1 } })).toEqual({
    ok: true,
    value: { content: { a: 1 }, note: expect.stringContaining(`"${part}"`) },
  })
})

test.each([[{ name: 'x', params: {} }], ['text'], [null], [[1]]])('other messages are taken whole: %j', (message) => {
  expect(messageContent(message)).toEqual({ ok: true, value: { content: message } })
})

test('an attack document and an empty envelope are not messages', () => {
  expect(messageContent({ oatf: '0.1', attack: {} }).ok).toBe(false)
  expect(messageContent({ jsonrpc: '2.0', id: 1 }).ok).toBe(false)
})
