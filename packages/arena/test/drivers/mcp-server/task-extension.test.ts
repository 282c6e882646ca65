/** The tasks extension of MCP 2026-07-28: who gets a task, and what becomes of it. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { openServer } from '../../support/mcp-server.ts'

const version = '2026-07-28'
const PREFIX = 'io.modelcontextprotocol/'
const extensions = { 'io.modelcontextprotocol/tasks': {} }
const text = (value: string) => [{ type: 'text', text: value }]
const question = { send: { method: 'elicitation/create', params: { message: 'PIN?' } } }
const tools = [
  { name: 'sync', responses: [{ content: text('at once') }] },
  { name: 'slow', execution: { taskSupport: 'required' }, responses: [{ content: text('later') }] },
  {
    name: 'asks',
    execution: { taskSupport: 'optional' },
    responses: [{ content: text('got {{pin}}'), 'x-joust-during': [question] }],
  },
]

async function open(declared: Value = { extensions }, own: Value = { extensions }) {
  const state = { protocol_version: version, capabilities: own, tools }
  const pin = { name: 'pin', source: 'response', type: 'json_path', selector: '$.content.pin' } as const
  const server = await openServer(state, [pin])
  const _meta = { [`${PREFIX}protocolVersion`]: version, [`${PREFIX}clientCapabilities`]: declared }
  const ask = async (method: string, params: Record<string, Value>) => {
    const name = String(params.name ?? params.taskId ?? '')
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method, ...(name !== '' && { 'mcp-name': name }) }
    const { messages } = await server.post({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }, headers)
    // The server sends a message, or the test fails on what it looks for.
    const { result, error } = messages[0] as { readonly result?: Value; readonly error?: Value }
    return Object(result ?? error)
  }
  return { ...server, ask }
}

describe('a call', () => {
  it('becomes a task, which works until it is polled again', async () => {
    const { ask } = await open()
    const task = await ask('tools/call', { name: 'slow' })
    expect(task).toEqual({
      resultType: 'task',
      taskId: 'id-1',
      status: 'working',
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: null,
      pollIntervalMs: 100,
    })
    expect(await ask('tasks/get', { taskId: 'id-1' })).toMatchObject({ resultType: 'complete', status: 'working' })
    const done = await ask('tasks/get', { taskId: 'id-1' })
    expect(done).toMatchObject({ status: 'completed', result: { resultType: 'complete', content: text('later') } })
    expect(await ask('tasks/get', { taskId: 'other' })).toMatchObject({ code: -32602 })
    expect(await ask('tasks/result', { taskId: 'id-1' })).toMatchObject({ code: -32601 })
  })

  it('that is cancelled has no result', async () => {
    const { ask } = await open()
    await ask('tools/call', { name: 'slow' })
    expect(await ask('tasks/cancel', { taskId: 'id-1' })).toEqual({ resultType: 'complete' })
    const task = await ask('tasks/get', { taskId: 'id-1' })
    expect(task).toMatchObject({ status: 'cancelled' })
    expect(task).not.toHaveProperty('result')
  })

  it.each<[string, Value, Value, Record<string, Value>]>([
    ['sync', { extensions }, { extensions }, { content: text('at once') }],
    ['asks', { elicitation: {} }, { extensions }, { resultType: 'input_required' }],
    ['slow', {}, { extensions }, { code: -32021, data: { requiredCapabilities: { extensions } } }],
    ['slow', { extensions }, {}, { content: text('later') }],
  ])('of %s by a client with %j from a server with %j is none', async (name, declared, own, expected) => {
    const { ask } = await open(declared, own)
    expect(await ask('tools/call', { name })).toMatchObject(expected)
  })
})

it('input requests of a task are answered by tasks/update, and the replies are events', async () => {
  const { ask, stage } = await open()
  await ask('tools/call', { name: 'asks' })
  const inputRequests = { 'input-1': { method: 'elicitation/create', params: { message: 'PIN?' } } }
  expect(await ask('tasks/get', { taskId: 'id-1' })).toMatchObject({ status: 'input_required', inputRequests })
  const inputResponses = { 'input-1': { action: 'accept', content: { pin: '1234' } } }
  expect(await ask('tasks/update', { taskId: 'id-1', inputResponses })).toEqual({ resultType: 'complete' })
  expect(await ask('tasks/get', { taskId: 'id-1' })).toMatchObject({ result: { content: text('got 1234') } })
  expect(stage.events.map(({ surface }) => surface)).toEqual([
    'tools/call',
    'tasks/get',
    'elicitation/create',
    'tasks/update',
    'tasks/get',
  ])
})

it('methods about tasks need the extension of the client', async () => {
  const { ask } = await open({})
  expect(await ask('tasks/get', { taskId: 'x' })).toMatchObject({ code: -32021 })
})
