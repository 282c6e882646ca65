/** §7.1.5 and §7.1.2 as a table: what each key puts on the wire, and what each message of the server becomes. */
import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { codes, overHttp, overPipe, settle, traced } from './support.ts'

describe('the handshake (§7.1.5)', () => {
  const hello = (params: Value) => ({ jsonrpc: '2.0', id: 1, method: 'initialize', params })
  const usual = {
    protocolVersion: '2025-11-25',
    capabilities: { roots: { listChanged: true } },
    clientInfo: { name: 'oatf-client', version: '1.0.0' },
  }
  const rows: readonly [name: string, state: Value, params: Value][] = [
    ['nothing', {}, usual],
    ['no state at all', null, usual],
    ['protocol_version', { protocol_version: '1999-01-01' }, { ...usual, protocolVersion: '1999-01-01' }],
    ['client_info', { client_info: { name: 'x', extra: [1] } }, { ...usual, clientInfo: { name: 'x', extra: [1] } }],
    ['capabilities', { capabilities: {} }, { ...usual, capabilities: {} }],
    ['wrong types', { client_info: 'me', capabilities: 7 }, { ...usual, clientInfo: 'me', capabilities: 7 }],
    ['templates', { client_info: { name: 'a{{none}}b' } }, { ...usual, clientInfo: { name: 'ab' } }],
  ]
  test.each(rows)('%s', async (_name, state, params) => {
    const rig = overPipe(state)
    expect(await rig.performHandshake()).toEqual(hello(params))
    expect(rig.stage.messages[0]).toMatchObject({
      direction: 'request',
      flow: 'out',
      surface: 'initialize',
      content: params,
    })
    await rig.driver.close()
  })

  test('the answer is an event with the params of its request; then the server is notified', async () => {
    const rig = overPipe({})
    const opened = rig.driver.open()
    const { id } = await rig.hear()
    await rig.say({ jsonrpc: '2.0', id, result: { protocolVersion: '2025-06-18', odd: true } })
    await opened
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect(rig.stage.messages[1]).toMatchObject({
      direction: 'response',
      flow: 'in',
      surface: 'initialize',
      content: { protocolVersion: '2025-06-18', odd: true },
      request: { protocolVersion: '2025-11-25' },
    })
    expect(rig.stage.events.map(({ surface }) => surface)).toEqual(['initialize'])
    expect(traced(rig)[2]).toBe('out request notifications/initialized {}')
    await rig.driver.close()
  })

  test('a server that refuses the handshake still gets the actions', async () => {
    const rig = overPipe({ actions: [{ method: 'tools/list' }] })
    const opened = rig.driver.open()
    const { id } = await rig.hear()
    await rig.say({ jsonrpc: '2.0', id, error: { code: -32602, message: 'Unsupported' } })
    await opened
    void rig.perform()
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', id: 2, method: 'tools/list' })
    expect(traced(rig)[1]).toBe('in response initialize {"code":-32602,"message":"Unsupported"}')
    expect(codes(rig)).toEqual(['handshake-refused'])
    await rig.driver.close()
  })
})

describe('actions (§7.1.5)', () => {
  const rows: readonly [name: string, action: Value, wire: Value, content: Value][] = [
    ['without params', { method: 'tools/list' }, { id: 2, method: 'tools/list' }, {}],
    [
      'with params',
      { method: 'tools/call', params: { name: 't', arguments: { a: [null, 1.5] }, _meta: { progressToken: 'p' } } },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 't', arguments: { a: [null, 1.5] }, _meta: { progressToken: 'p' } },
      },
      { name: 't', arguments: { a: [null, 1.5] }, _meta: { progressToken: 'p' } },
    ],
    ['params of the wrong type', { method: 'x/y', params: 'text' }, { id: 2, method: 'x/y', params: 'text' }, 'text'],
    ['a list of params', { method: 'x/y', params: [1] }, { id: 2, method: 'x/y', params: [1] }, [1]],
    ['null params', { method: 'x/y', params: null }, { id: 2, method: 'x/y', params: null }, null],
    ['a template in the method', { method: 'x/{{none}}y' }, { id: 2, method: 'x/y' }, {}],
    [
      'other keys stay here',
      { method: 'ping', description: 'why', when: {}, content: 1 },
      { id: 2, method: 'ping' },
      {},
    ],
    [
      'a notification',
      { method: 'notifications/roots/list_changed', params: { a: 1 } },
      { method: 'notifications/roots/list_changed', params: { a: 1 } },
      { a: 1 },
    ],
  ]
  test.each(rows)('%s', async (_name, action, wire, content) => {
    const rig = overPipe({ actions: [action] })
    await rig.performHandshake()
    void rig.perform()
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', ...(wire as object) })
    expect(rig.stage.messages.at(-1)).toMatchObject({ direction: 'request', flow: 'out', content })
    await rig.driver.close()
  })

  const answers: readonly [name: string, answer: Value, content: Value][] = [
    ['a result', { result: { content: [], x: 1 } }, { content: [], x: 1 }],
    ['an error', { error: { code: -31337, message: 'no', data: [1] } }, { code: -31337, message: 'no', data: [1] }],
    ['a bare string', { result: 'text' }, 'text'],
    ['a list', { result: [1, 2] }, [1, 2]],
    ['null', { result: null }, null],
  ]
  test.each(answers)('answered by %s', async (_name, answer, content) => {
    const rig = overPipe({ actions: [{ method: 'tools/call', params: { name: 't' } }] })
    await rig.performHandshake()
    const performed = rig.perform()
    const { id } = await rig.hear()
    await rig.say({ jsonrpc: '2.0', id, ...(answer as object) })
    await performed
    expect(rig.stage.messages.at(-1)).toEqual({
      direction: 'response',
      flow: 'in',
      surface: 'tools/call',
      content,
      request: { name: 't' },
      phase: 'phase-1',
    })
    expect(rig.stage.events.at(-1)).toEqual({ surface: 'tools/call', content, phase: 'phase-1' })
    await rig.driver.close()
  })
})

describe('requests of the server (§7.1.5)', () => {
  const sampling = { messages: [{ role: 'user', content: { type: 'text', text: 'hi' } }] }
  const form = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } }
  const notFound = { error: { code: -32601, message: 'Method not found' } }
  const rows: readonly [name: string, state: Value, method: string, params: Value | undefined, answer: Value][] = [
    ['ping', {}, 'ping', undefined, { result: {} }],
    ['no roots', {}, 'roots/list', undefined, { result: { roots: [] } }],
    ['roots', { roots: [{ uri: 7, x: 'a{{none}}b' }] }, 'roots/list', {}, { result: { roots: [{ uri: 7, x: 'ab' }] } }],
    [
      'roots that see the answer',
      { roots: [{ uri: 'u', name: '{{response.roots}}' }] },
      'roots/list',
      {},
      { result: { roots: [{ uri: 'u', name: '[{"uri":"u","name":"{{response.roots}}"}]' }] } },
    ],
    [
      'sampling that sees the answer',
      { sampling_responses: [{ content: { model: 'm', text: '{{response.model}}' } }] },
      'sampling/createMessage',
      sampling,
      { result: { model: 'm', text: 'm' } },
    ],
    [
      'an elicitation that sees the answer',
      { elicitation_responses: [{ content: { a: '{{response.action}}' } }] },
      'elicitation/create',
      form,
      { result: { action: 'accept', content: { a: 'accept' } } },
    ],
    ['roots of the wrong kind', { roots: 'none' }, 'roots/list', {}, { result: { roots: 'none' } }],
    [
      'sampling by a predicate, before the entry without one',
      {
        sampling_responses: [
          { content: { model: 'other' } },
          { when: { systemPrompt: { contains: 'bank' } }, content: { role: 3 } },
        ],
      },
      'sampling/createMessage',
      { ...sampling, systemPrompt: 'you are a bank' },
      { result: { role: 3 } },
    ],
    [
      'sampling by a field',
      { sampling_responses: [{ when: { k: 'v' }, content: { model: 'm', x: '{{request.k}}' } }, { content: 'other' }] },
      'sampling/createMessage',
      { ...sampling, k: 'v' },
      { result: { model: 'm', x: 'v' } },
    ],
    [
      'sampling that nothing matches, declared',
      { capabilities: { sampling: {} }, sampling_responses: [{ when: { k: 'v' }, content: {} }] },
      'sampling/createMessage',
      sampling,
      { error: { code: -1, message: 'User rejected sampling request' } },
    ],
    ['sampling that was not declared', {}, 'sampling/createMessage', sampling, notFound],
    [
      'elicitation, accepted by default',
      { elicitation_responses: [{ content: { name: 'Eve', n: 1 } }] },
      'elicitation/create',
      form,
      { result: { action: 'accept', content: { name: 'Eve', n: 1 } } },
    ],
    [
      'elicitation with an action',
      { elicitation_responses: [{ action: 'decline' }] },
      'elicitation/create',
      form,
      { result: { action: 'decline' } },
    ],
    [
      'elicitation with what is not an action',
      { elicitation_responses: [{ action: 'steal', content: [1] }] },
      'elicitation/create',
      form,
      { result: { action: 'steal', content: [1] } },
    ],
    ['elicitation without entries', {}, 'elicitation/create', form, { result: { action: 'accept', content: {} } }],
    [
      'elicitation of a URL',
      {},
      'elicitation/create',
      { mode: 'url', url: 'http://x.test', elicitationId: 'e', message: 'go' },
      { result: { action: 'accept' } },
    ],
    ['anything else', {}, 'tasks/list', {}, notFound],
  ]
  test.each(rows)('%s', async (_name, state, method, params, answer) => {
    const rig = overPipe(state)
    await rig.performHandshake()
    await rig.say({ jsonrpc: '2.0', id: 'srv-1', method, params })
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', id: 'srv-1', ...(answer as object) })
    await settle()
    const { result, error } = answer as { result?: Value; error?: Value }
    expect(traced(rig).slice(-2)).toEqual([
      `in request ${method} ${JSON.stringify(params ?? {})}`,
      `out response ${method} ${JSON.stringify(result ?? error)}`,
    ])
    expect(rig.stage.events.at(-1)?.surface).toBe(method)
    await rig.driver.close()
  })

  test('wire 12: become tasks where the client declares them', async () => {
    const tasks = { requests: { sampling: { createMessage: {} } } }
    const rig = overPipe({ capabilities: { sampling: {}, tasks }, sampling_responses: [{ content: { model: 'm' } }] })
    await rig.performHandshake()
    const ask = async (method: string, params: Value) => {
      await rig.say({ jsonrpc: '2.0', id: method, method, params })
      return Object(await rig.hear()).result
    }
    const { task } = await ask('sampling/createMessage', { messages: [], task: {} })
    expect(task).toMatchObject({ status: 'working' })
    expect(await ask('tasks/get', { taskId: task.taskId })).toMatchObject({ status: 'completed' })
    expect(await ask('tasks/result', { taskId: task.taskId })).toMatchObject({ model: 'm' })
    await rig.driver.close()
  })

  test('are answered by the phase in which they came', async () => {
    const rig = overPipe({ roots: [{ uri: 'first' }] })
    await rig.performHandshake()
    rig.stage.enter({ roots: [{ uri: 'second' }] })
    await rig.say({ jsonrpc: '2.0', id: 0, method: 'roots/list' })
    expect(await rig.hear()).toEqual({ jsonrpc: '2.0', id: 0, result: { roots: [{ uri: 'second' }] } })
    await rig.driver.close()
  })
})

test('notifications of the server are events (§7.1.2)', async () => {
  const rig = overPipe({})
  await rig.performHandshake()
  await rig.say({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  await rig.say({ jsonrpc: '2.0', method: 'notifications/message', params: { level: 'info', data: 'x' } })
  await settle()
  expect(traced(rig).slice(-2)).toEqual([
    'in request notifications/tools/list_changed {}',
    'in request notifications/message {"level":"info","data":"x"}',
  ])
  expect(rig.stage.events.slice(-2).map(({ surface }) => surface)).toEqual([
    'notifications/tools/list_changed',
    'notifications/message',
  ])
  await rig.driver.close()
})

describe('entry messages (§7.1.6)', () => {
  test('a notification has no reply', async () => {
    const rig = overPipe({})
    await rig.performHandshake()
    const sent = await rig.driver.send(
      { method: 'notifications/cancelled', params: { requestId: '{{x}}' } },
      rig.stage.scene(),
    )
    expect(sent.reply).toBeUndefined()
    expect(await rig.hear()).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: '{{x}}' },
    })
    await rig.driver.close()
  })

  test('a request is sent before its reply, which is an event', async () => {
    const rig = overPipe({})
    await rig.performHandshake()
    const { reply } = await rig.driver.send({ method: 'tools/list' }, rig.stage.scene())
    const { id } = await rig.hear()
    expect(rig.stage.events.map(({ surface }) => surface)).toEqual(['initialize'])
    await rig.say({ jsonrpc: '2.0', id, result: { tools: [] } })
    await reply
    expect(rig.stage.events.at(-1)).toMatchObject({ surface: 'tools/list', content: { tools: [] } })
    await rig.driver.close()
  })
})

test('x-joust-headers: headers of each request, and of one action', async () => {
  const rig = await overHttp({
    protocol_version: '2026-07-28',
    'x-joust-headers': { 'X-Who': '{{who}}', accept: null },
    actions: [
      { method: 'tools/list' },
      { method: 'tools/call', 'x-joust-headers': { 'Mcp-Method': 'ping', 'x-who': 7 } },
    ],
  })
  rig.stage.values.set('who', 'mallory')
  await rig.driver.open()
  await rig.perform()
  await rig.driver.close()
  const version = { 'mcp-protocol-version': '2026-07-28' }
  expect(rig.calls.map(({ headers }) => headers)).toMatchObject([
    { ...version, 'mcp-method': 'tools/list', 'x-who': 'mallory' },
    { ...version, 'mcp-method': 'ping', 'x-who': '7' },
  ])
  expect(rig.calls[0]?.headers).not.toHaveProperty('accept')
})

test('x-joust-headers: a client has no status', async () => {
  const rig = await overHttp({
    'x-joust-headers': { ':status': 401, 'x-who': 'm' },
    actions: [{ method: 'tools/list' }],
  })
  await rig.driver.open()
  await rig.perform()
  await rig.driver.close()
  expect(rig.calls[0]?.headers).toMatchObject({ 'x-who': 'm' })
  expect(rig.calls[0]?.headers).not.toHaveProperty(':status')
  expect(rig.stage.reports[0]?.message).toContain(':status cannot be sent')
})
