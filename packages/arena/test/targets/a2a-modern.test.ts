/** An agent that speaks only A2A 1.0, on the official SDK: 0.3 documents reach it, and its answers come back. */
import { describe, expect, onTestFinished, test } from 'vitest'
import { modernRequest, olderResponse } from '../../src/drivers/a2a/versions.ts'
import { runAttack } from '../../src/run.ts'
import { endpointTarget } from '../../src/targets/endpoint.ts'
import { type Serve, serve10, serve13, serveRest } from '../support/a2a-sdk.ts'
import { loadedAttack } from '../support/attacks.ts'

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
  test.each(['/a2a', ''])('reaches an agent of 1.0 at %j, and the results say how', async (path) => {
    const done = await run(serve10, method, path)
    expect([done.outcome, done.reasons]).toEqual(['exploited', []])
    expect(done.diagnostics.map(({ code, message }) => `${code} ${message}`)).toContainEqual(
      expect.stringMatching(/^prompt-changed the agent speaks A2A 1\.0 only/),
    )
  })

  test.each(['/a2a', ''])('reaches an agent of 1.0 over HTTP+JSON at %j', async (path) => {
    const done = await run(serveRest, method, path)
    expect([done.outcome, done.reasons]).toEqual(['exploited', []])
    expect(done.diagnostics.map(({ code, message }) => `${code} ${message}`)).toEqual([
      expect.stringMatching(/^prompt-changed the agent speaks A2A 1\.0 over HTTP\+JSON only/),
    ])
  })

  test('goes as it stands to one that knows 0.3', async () => {
    const done = await run(serve13, method)
    expect([done.outcome, done.diagnostics]).toEqual(['exploited', []])
  })
})

test('errors over HTTP+JSON come back as those of JSON-RPC', async () => {
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

test('files, data, roles and waiting in the words of 1.0', () => {
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

test('states, kinds and parts in the words of 0.3; what is no answer of 1.0 stays as it is', () => {
  const part = { raw: 'AA==', filename: 'a', mediaType: 'image/png' }
  const said = { messageId: 'n', role: 'ROLE_AGENT', parts: [part] }
  const status = { state: 'TASK_STATE_INPUT_REQUIRED', message: said }
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
