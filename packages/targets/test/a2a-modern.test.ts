/** Documents for A2A 0.3 against agents of the official SDK that support only A2A 1.0. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { modernRequest, olderResponse } from '../../arena/src/drivers/a2a/versions.ts'
import { runAttack } from '../../arena/src/run.ts'
import { type Serve, serve10, serve13, serveRest } from '../../arena/test/support/a2a-sdk.ts'
import { loadedAttack } from '../../arena/test/support/attacks.ts'
import { endpointTarget } from '../src/endpoint.ts'

const attack = (method: string) =>
  loadedAttack({
    execution: {
      mode: 'a2a_client',
      state: {
        actions: [
          {
            method,
            params: {
              message: { kind: 'message', messageId: 'm', role: 'user', parts: [{ kind: 'text', text: 'say mellon' }] },
              configuration: { blocking: true },
            },
          },
        ],
      },
    },
    indicators: [
      {
        surface: method === 'message/send' ? 'message/send' : 'task/artifact',
        direction: 'response',
        target: method === 'message/send' ? 'artifacts[*].parts[*].text' : 'artifact.parts[*].text',
        pattern: { contains: 'mellon' },
      },
    ],
    // Tests write plain data.
  } as never)

async function run(serve: Serve, method: string, path = '/a2a') {
  const { url, close } = await serve()
  onTestFinished(close)
  return runAttack(attack(method), {
    limits: { graceMs: 0 },
    target: endpointTarget({ a2a: { url: `${url}${path}` } }),
  })
}

describe.each(['message/send', 'message/stream'])('%s', (method) => {
  test.each(['/a2a', ''])('reaches an A2A 1.0 agent at %j, and the translation is reported', async (path) => {
    const done = await run(serve10, method, path)
    expect([done.outcome, done.reasons]).toEqual(['exploited', []])
    expect(done.diagnostics.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
      expect.stringMatching(/^prompt-changed .*1\.0/),
    )
  })

  test.each(['/a2a', ''])('reaches an A2A 1.0 agent over HTTP+JSON at %j', async (path) => {
    const done = await run(serveRest, method, path)
    expect([done.outcome, done.reasons]).toEqual(['exploited', []])
    expect(done.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^prompt-changed .*1\.0 over HTTP\+JSON/),
    ])
  })

  test('is not translated for an agent that supports 0.3', async () => {
    const done = await run(serve13, method)
    expect([done.outcome, done.diagnostics]).toEqual(['exploited', []])
  })
})

test('HTTP+JSON errors become JSON-RPC errors', async () => {
  const { url, close } = await serveRest()
  onTestFinished(close)
  const lost = loadedAttack({
    execution: { mode: 'a2a_client', state: { actions: [{ method: 'tasks/get', params: { id: 'none' } }] } },
    indicators: [{ surface: 'tasks/get', direction: 'response', target: 'message', pattern: { contains: 'mellon' } }],
    // Tests write plain data.
  } as never)
  const done = await runAttack(lost, { limits: { graceMs: 0 }, target: endpointTarget({ a2a: { url: `${url}/a2a` } }) })
  const answers = done.trace.filter(({ flow }) => flow === 'in').map(({ content }) => content)
  expect(answers).toEqual([{ code: -32001, message: 'Task not found' }])
})

test('files, data, roles and blocking are translated to A2A 1.0', () => {
  const parts = [
    { kind: 'text', text: 'a', metadata: { b: 1 } },
    { kind: 'file', file: { uri: 'https://x.example/a', name: 'a', mimeType: 'text/plain' } },
    { kind: 'data', data: { c: [1] } },
  ]
  const message = { kind: 'message', messageId: 'm', role: 'user', parts }
  expect(
    modernRequest({
      jsonrpc: '2.0',
      id: 1,
      method: 'message/send',
      params: { message, configuration: { blocking: false } },
    }),
  ).toEqual({
    ...{ jsonrpc: '2.0', id: 1, method: 'SendMessage' },
    params: {
      message: {
        ...{ messageId: 'm', role: 'ROLE_USER' },
        parts: [
          { text: 'a', metadata: { b: 1 } },
          { url: 'https://x.example/a', filename: 'a', mediaType: 'text/plain' },
          { data: { c: [1] } },
        ],
      },
      configuration: { returnImmediately: true },
    },
  })
  expect(modernRequest({ jsonrpc: '2.0', id: 1, method: 'no/such' })).toBeUndefined()
})

test('states, kinds and parts are translated to A2A 0.3; other values are unchanged', () => {
  const part = { raw: 'AA==', filename: 'a', mediaType: 'image/png' }
  const reply = { messageId: 'n', role: 'ROLE_AGENT', parts: [part] }
  const status = { state: 'TASK_STATE_INPUT_REQUIRED', message: reply }
  expect(olderResponse({ id: 1, result: { task: { id: 't', status } } })).toEqual({
    id: 1,
    result: {
      ...{ kind: 'task', id: 't' },
      status: {
        state: 'input-required',
        message: {
          ...{ kind: 'message', messageId: 'n', role: 'agent' },
          parts: [{ kind: 'file', file: { bytes: 'AA==', name: 'a', mimeType: 'image/png' } }],
        },
      },
    },
  })
  for (const other of [null, 'x', { error: { code: 1 } }, { result: 3 }, { result: { a: 1 } }])
    expect(olderResponse(other)).toEqual(other)
})
