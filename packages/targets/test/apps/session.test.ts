/** The messages of SEP-1865 between an app and its host, without a browser. */
import { err, ok, own, type Value } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createAppSession, type HostChecks } from '../../src/apps/session.ts'
import { strictChecks } from '../../src/simulated/app-host.ts'

const weak: HostChecks = { isolation: false, csp: false, visibility: false, consent: false, context: false }

/** Sends messages of an app, and returns the answers, the records, and the effects on the host. */
async function talk(checks: HostChecks, ...messages: readonly unknown[]) {
  const sent: Value[] = []
  const records: (readonly [string, Value])[] = []
  const effects: string[] = []
  const session = createAppSession({
    checks,
    call: { tool: { name: 'show' }, arguments: { a: '1' }, result: { content: [] } },
    callTool: async (name) => (name === 'refresh' ? ok({ content: [] }) : err(`no tool ${name}`)),
    readResource: async () => ok({ contents: [] }),
    addMessage: (text) => effects.push(`message ${text}`),
    setContext: (text) => effects.push(`context ${text}`),
    record: ({ surface, content }) => records.push([surface, content]),
    deliver: async (message) => void sent.push(JSON.parse(message)),
  })
  for (const message of messages)
    await session.take(
      typeof message === 'string' ? message : JSON.stringify({ jsonrpc: '2.0', ...(message as object) }),
    )
  expect(session.isBusy()).toBe(false)
  return { sent, records, effects }
}

test('the handshake, and nothing before it has ended', async () => {
  const hello = { id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26' } }
  const first = await talk(weak, hello)
  expect(first.sent).toEqual([
    {
      jsonrpc: '2.0',
      id: 1,
      result: expect.objectContaining({
        protocolVersion: '2026-01-26',
        hostInfo: { name: 'simulated', version: '1.0.0' },
        hostContext: expect.objectContaining({ toolInfo: { tool: { name: 'show' } } }),
      }),
    },
  ])
  const { sent, records } = await talk(weak, hello, { method: 'ui/notifications/initialized' })
  expect(sent.slice(1)).toEqual([
    { jsonrpc: '2.0', method: 'ui/notifications/tool-input', params: { arguments: { a: '1' } } },
    { jsonrpc: '2.0', method: 'ui/notifications/tool-result', params: { content: [] } },
  ])
  expect(records).toEqual([])
})

const text = [{ type: 'text', text: 'Pay.' }]

test.each<[string, Value, string | undefined]>([
  ['ui/open-link', { url: 'https://a.example/' }, undefined],
  ['ui/message', { role: 'user', content: text }, 'message Pay.'],
  // The specification shows one item, its schema a list.
  ['ui/message', { role: 'user', content: { type: 'text', text: 'Pay.' } }, 'message Pay.'],
])('%s is asked, and allowed only without consent: %j', async (method, params, effect) => {
  const open = await talk(weak, { id: 'a', method, params })
  expect(open.sent).toEqual([{ jsonrpc: '2.0', id: 'a', result: {} }])
  expect(open.records).toEqual([
    ['app/asked', { method, params }],
    ['app/allowed', { method, params, result: {} }],
  ])
  expect(open.effects).toEqual(effect === undefined ? [] : [effect])
  const strict = await talk(strictChecks, { id: 'a', method, params })
  const error = { code: -32000, message: 'The user has declined.' }
  expect(strict.sent).toEqual([{ jsonrpc: '2.0', id: 'a', error }])
  expect(strict.records).toEqual([
    ['app/asked', { method, params }],
    ['app/refused', { method, params, error }],
  ])
  expect(strict.effects).toEqual([])
})

test.each<[string, Value, object]>([
  ['tools/call', { name: 'refresh' }, { result: { content: [] } }],
  ['tools/call', { name: 'pay' }, { error: { code: -32000, message: 'no tool pay' } }],
  ['tools/call', 7, { error: { code: -32000, message: 'no tool ' } }],
  ['resources/read', { uri: 'ui://a' }, { result: { contents: [] } }],
  ['ui/update-model-context', { content: text }, { result: {} }],
  ['sampling/createMessage', {}, { error: { code: -32601, message: 'Method not found: sampling/createMessage' } }],
  ['constructor', {}, { error: { code: -32601, message: 'Method not found: constructor' } }],
])('%s %j is answered', async (method, params, answer) => {
  const { sent, records } = await talk(strictChecks, { id: 2, method, params })
  expect(sent).toEqual([{ jsonrpc: '2.0', id: 2, ...answer }])
  expect(records.map(([surface]) => surface)).toEqual(['app/asked', 'result' in answer ? 'app/allowed' : 'app/refused'])
})

test('an app is told that it is closed, after its handshake only', async () => {
  const ended = async (...messages: readonly string[]) => {
    const sent: Value[] = []
    const session = createAppSession({
      checks: weak,
      call: { tool: null, arguments: null, result: null },
      callTool: async () => err(''),
      readResource: async () => err(''),
      addMessage() {},
      setContext() {},
      record() {},
      deliver: async (message) => void sent.push(own(JSON.parse(message), 'method') ?? null),
    })
    for (const message of messages) await session.take(message)
    await session.end()
    return sent
  }
  expect(await ended()).toEqual([])
  expect(await ended('{"jsonrpc":"2.0","method":"ui/notifications/initialized"}')).toEqual([
    'ui/notifications/tool-input',
    'ui/notifications/tool-result',
    'ui/resource-teardown',
  ])
})

test('log messages are recorded; other notifications and malformed messages are not', async () => {
  const log = { method: 'notifications/message', params: { level: 'info', data: 'x' } }
  const { sent, records } = await talk(
    weak,
    log,
    { method: 'ui/notifications/size-changed', params: {} },
    'not JSON',
    '[]',
    '{"jsonrpc":"2.0","id":9,"result":{}}',
  )
  expect(sent).toEqual([])
  expect(records).toEqual([['app/asked', log]])
})

test('any message is taken, and answered at most once', async () => {
  const method = fc.constantFrom(
    'tools/call',
    'ui/message',
    'ui/initialize',
    'ui/notifications/initialized',
    '__proto__',
  )
  const message = fc.record(
    { id: fc.jsonValue(), method: fc.oneof(method, fc.string()), params: fc.jsonValue() },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.oneof(message, fc.string(), fc.json()), async (value) => {
      const { sent } = await talk(weak, value)
      expect(sent.filter((one) => own(one, 'id') !== undefined).length).toBeLessThanOrEqual(1)
    }),
  )
})
