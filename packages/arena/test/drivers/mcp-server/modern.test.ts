/** The wire format of MCP 2026-07-28, for documents that ask for it. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { isModern } from '../../../src/drivers/mcp-server/envelope.ts'
import { openServer, settle } from '../../support/mcp-server.ts'

const version = '2026-07-28'
const modern = (state: Record<string, Value> = {}) => ({ protocol_version: version, ...state })
const tools = [{ name: 't', responses: [{ content: [{ type: 'text', text: 'got {{password}}' }] }] }]
const cache = { ttlMs: 0, cacheScope: 'private' }

const PREFIX = 'io.modelcontextprotocol/'
const metaOf = (capabilities: Value) => ({
  [`${PREFIX}protocolVersion`]: version,
  [`${PREFIX}clientCapabilities`]: capabilities,
})
const _meta = metaOf({ elicitation: {}, sampling: {}, roots: {} })
/** The headers that repeat a request. */
const headersOf = (method: string, name?: string) => ({
  'mcp-protocol-version': version,
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
})

/** A client that wants this wire format says so in every request. */
async function openModern(...given: Parameters<typeof openServer>) {
  const server = await openServer(...given)
  const send = (method: string, params: Record<string, Value> = {}, headers: Record<string, string> = {}) => {
    const name = params.name ?? params.uri
    const all = { ...headersOf(method, typeof name === 'string' ? name : undefined), ...headers }
    return server.post({ jsonrpc: '2.0', id: 1, method, params: { _meta, ...params } }, all)
  }
  const ask = async (method: string, params: Record<string, Value> = {}) => {
    const { messages } = await send(method, params)
    // The server sends a message, or the test fails on what it looks for.
    const { result, error } = messages.at(-1) as { readonly result?: Value; readonly error?: Value }
    return result ?? error ?? null
  }
  return { ...server, send, ask }
}

describe('isModern', () => {
  const repeated = { 'mcp-protocol-version': version }
  it.each<[Value | undefined, Value, Record<string, string>, boolean]>([
    [version, { _meta }, {}, true],
    [version, {}, {}, false],
    [version, {}, repeated, true],
    [version, {}, { ...repeated, 'mcp-session-id': 's' }, false],
    [version, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }, {}, true],
    ['2027-01-01', { _meta }, {}, false],
    ['2025-11-25', { _meta }, repeated, false],
    [undefined, { _meta }, {}, false],
    [9, { _meta }, {}, false],
  ])('wire 7: %j, asked with %j and %j: %s', (written, params, headers, expected) => {
    expect(isModern(written, { params, headers })).toBe(expected)
  })

  it('wire 7: a peer with an old handshake gets the old protocol, and the version as written', async () => {
    const { ask } = await openServer(modern({ tools }))
    expect(await ask('initialize', {})).toMatchObject({ protocolVersion: version })
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 't' }] })
    expect(await ask('server/discover')).toMatchObject({ code: -32601 })
  })

  it('wire 7: a later version is a string like any other', async () => {
    const { ask } = await openModern({ protocol_version: '2027-01-01', tools })
    expect(await ask('initialize', {})).toMatchObject({ protocolVersion: '2027-01-01' })
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 't' }] })
  })
})

describe('results', () => {
  it.each<[string, Record<string, Value>, Value]>([
    [
      'server/discover',
      {},
      {
        resultType: 'complete',
        ...cache,
        supportedVersions: [version],
        capabilities: { tools: {} },
        instructions: 'be nice',
        _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'oatf-server', version: '1.0.0' } },
      },
    ],
    ['tools/list', {}, { resultType: 'complete', ...cache, tools: [{ name: 't' }] }],
    ['prompts/list', {}, { resultType: 'complete', ...cache, prompts: [] }],
    ['resources/list', {}, { resultType: 'complete', ...cache, resources: [] }],
    ['resources/templates/list', {}, { resultType: 'complete', ...cache, resourceTemplates: [] }],
    ['tools/call', { name: 't' }, { resultType: 'complete', content: [{ type: 'text', text: 'got ' }] }],
    ['tools/call', { name: 'u' }, { code: -32602, message: 'Unknown tool: u' }],
    ['made/up', {}, { code: -32601, message: 'Method not found: made/up' }],
    ['initialize', {}, { code: -32601, message: 'Method not found: initialize' }],
    ['ping', {}, { code: -32601, message: 'Method not found: ping' }],
    [
      'resources/read',
      { uri: 'a://b' },
      { code: -32602, message: 'Resource not found: a://b', data: { uri: 'a://b' } },
    ],
  ])('of %s', async (method, params, expected) => {
    const { ask } = await openModern(modern({ tools, capabilities: { tools: {} }, instructions: 'be nice' }))
    expect(await ask(method, params)).toEqual(expected)
  })

  it('that say otherwise stay as they are written', async () => {
    const { ask } = await openModern(
      modern({ tools: [{ name: 't', responses: [{ content: { resultType: 'odd' } }] }] }),
    )
    expect(await ask('tools/call', { name: 't' })).toEqual({ resultType: 'odd' })
  })
})

describe('an elicitation', () => {
  const password = { name: 'password', source: 'response', type: 'json_path', selector: '$.content.password' } as const
  const state = modern({ tools, elicitations: [{ message: 'Password of {{request.name}}?' }] })
  const asked = {
    resultType: 'input_required',
    requestState: 'id-1',
    inputRequests: {
      'input-1': { method: 'elicitation/create', params: { mode: 'form', message: 'Password of t?' } },
    },
  }

  it('is a result, and the repeated call brings the reply', async () => {
    const { ask, stage } = await openModern(state, [password])
    expect(await ask('tools/call', { name: 't' })).toEqual(asked)
    const reply = { action: 'accept', content: { password: 'hunter2' } }
    const again = { name: 't', requestState: 'id-1', inputResponses: { 'input-1': reply } }
    expect(await ask('tools/call', again)).toEqual({
      resultType: 'complete',
      content: [{ type: 'text', text: 'got hunter2' }],
    })
    expect(stage.messages.map(({ flow, direction, surface }) => `${flow} ${direction} ${surface}`)).toEqual([
      'in request tools/call',
      'out request elicitation/create',
      'out response tools/call',
      'in request tools/call',
      'in response elicitation/create',
      'out response tools/call',
    ])
    expect(stage.events).toMatchObject([
      { surface: 'tools/call' },
      { surface: 'elicitation/create', content: reply },
      { surface: 'tools/call' },
    ])
    expect(stage.reports).toEqual([])
  })

  it('without a reply in the repeated call is requested once more', async () => {
    const { ask, stage } = await openModern(state)
    await ask('tools/call', { name: 't' })
    expect(await ask('tools/call', { name: 't', requestState: 'id-1' })).toMatchObject({ requestState: 'id-2' })
    expect(await ask('tools/call', { name: 't', requestState: 'id-2' })).toMatchObject({ resultType: 'complete' })
    expect(stage.reports.map(({ code }) => code)).toEqual(['reply-missing', 'reply-missing', 'template-empty'])
  })

  it.each<[Record<string, Value>, Value]>([
    [{ inputResponses: {} }, { resultType: 'input_required' }],
    [
      { requestState: 'mine', inputResponses: {} },
      { code: -32602, message: 'Invalid params: unknown requestState' },
    ],
  ])('with replies that were not requested: %j', async (more, expected) => {
    const { ask, stage } = await openModern(state)
    expect(await ask('tools/call', { name: 't', ...more })).toMatchObject(Object(expected))
    expect(stage.reports.map(({ code }) => code)).toEqual(['reply-unexpected'])
  })

  it('is not sent to a client without the capability', async () => {
    const { send, stage } = await openModern(state)
    const refused = await send('tools/call', { name: 't', _meta: metaOf({ roots: {} }) })
    const error = { code: -32021, data: { requiredCapabilities: { elicitation: {} } } }
    expect([refused.status, refused.messages]).toMatchObject([400, [{ error }]])
    expect(stage.reports.map(({ code }) => code)).toEqual(['not-delivered'])
  })

  const input = { method: 'elicitation/create', params: { message: 'PIN?' } }
  const written = [
    { when: { requestState: 'mine' }, content: [{ type: 'text', text: 'got {{password}}' }] },
    { content: { resultType: 'input_required', requestState: 'mine', inputRequests: { pin: input } } },
  ]

  it('can be written as a result, and its replies are events', async () => {
    const { ask, stage } = await openModern(modern({ tools: [{ name: 't', responses: written }] }), [password])
    expect(await ask('tools/call', { name: 't' })).toEqual(written[1]?.content)
    const reply = { action: 'accept', content: { password: 'hunter2' } }
    const again = { name: 't', requestState: 'mine', inputResponses: { pin: reply } }
    expect(await ask('tools/call', again)).toMatchObject({ content: [{ text: 'got hunter2' }] })
    expect(stage.messages.map(({ flow, direction, surface }) => `${flow} ${direction} ${surface}`)).toEqual([
      'in request tools/call',
      'out request elicitation/create',
      'out response tools/call',
      'in request tools/call',
      'in response elicitation/create',
      'out response tools/call',
    ])
    expect(stage.reports).toEqual([])
  })
})

describe('a request is rejected', () => {
  const state = modern({
    tools: [
      { name: 'ü', inputSchema: { properties: { at: { properties: { region: { 'x-mcp-header': 'Region' } } } } } },
      { name: 't', responses: [{ content: [] }] },
    ],
  })
  const region = { name: 'ü', arguments: { at: { region: 'us west' } } }
  const encoded = { 'mcp-name': '=?base64?w7w=?=' }
  const rows: readonly [why: string, ...Parameters<Awaited<ReturnType<typeof openModern>>['send']>, number, number][] =
    [
      ['no metadata', 'tools/list', { _meta: {} }, {}, 400, -32602],
      ['no capabilities', 'tools/list', { _meta: { [`${PREFIX}protocolVersion`]: version } }, {}, 400, -32602],
      ['another version', 'tools/list', { _meta: { ..._meta, [`${PREFIX}protocolVersion`]: 'v9' } }, {}, 400, -32020],
      [
        'another version in both',
        'tools/list',
        { _meta: { ..._meta, [`${PREFIX}protocolVersion`]: 'v9' } },
        { 'mcp-protocol-version': 'v9' },
        400,
        -32022,
      ],
      ['another method', 'tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }, 400, -32020],
      ['another name', 'tools/call', { name: 't' }, { 'mcp-name': 'u' }, 400, -32020],
      ['a name of broken base64', 'tools/call', { name: 't' }, { 'mcp-name': '=?base64?d?=' }, 400, -32020],
      ['no parameter', 'tools/call', region, encoded, 400, -32020],
      ['another parameter', 'tools/call', region, { ...encoded, 'mcp-param-region': 'us' }, 400, -32020],
      ['an unknown method', 'made/up', {}, {}, 404, -32601],
      ['an unknown tool', 'tools/call', { name: 'v' }, {}, 200, -32602],
    ]
  it.each(rows)('with %s', async (_why, method, params, headers, status, code) => {
    const { send } = await openModern(state)
    const answer = await send(method, params, headers)
    expect([answer.status, answer.messages]).toMatchObject([status, [{ id: 1, error: { code } }]])
  })

  it('but not with the headers that repeat it', async () => {
    const { send } = await openModern(state)
    const { status, messages } = await send('tools/call', region, { ...encoded, 'mcp-param-region': 'us west' })
    expect([status, messages]).toMatchObject([200, [{ result: { resultType: 'complete' } }]])
  })
})

describe('a message before the answer', () => {
  const sent = (method: string) => [{ send: { method, params: { level: 'info', data: 'x' } } }]
  const during = (method: string) =>
    modern({ tools: [{ name: 't', responses: [{ content: [], 'x-joust-during': sent(method) }] }] })

  it('is a log entry only if the request sets a level', async () => {
    const { send, stage } = await openModern(during('notifications/message'))
    expect((await send('tools/call', { name: 't' })).messages).toHaveLength(1)
    expect(stage.reports.map(({ code }) => code)).toEqual(['not-delivered'])
    const answer = await send('tools/call', { name: 't', _meta: { ..._meta, [`${PREFIX}logLevel`]: 'info' } })
    await settle()
    expect(answer.messages).toMatchObject([{ method: 'notifications/message' }, { result: {} }])
  })

  it('is a change for those that have subscribed to it', async () => {
    const { send } = await openModern(during('notifications/tools/list_changed'))
    const [wanted, other] = [
      await send('subscriptions/listen', { notifications: { toolsListChanged: true } }),
      await send('subscriptions/listen', { notifications: { promptsListChanged: true } }),
    ]
    expect((await send('tools/call', { name: 't' })).messages).toHaveLength(1)
    await settle()
    expect([wanted?.messages.length, other?.messages.length]).toEqual([2, 1])
  })
})

describe('subscriptions/listen', () => {
  it('opens the stream of entry messages', async () => {
    const { post, driver, stage } = await openModern(modern())
    const headers = headersOf('subscriptions/listen')
    const notifications = { toolsListChanged: true }
    const params = { notifications, _meta }
    const stream = await post({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params }, headers)
    await driver.send({ method: 'notifications/tools/list_changed' }, stage.scene())
    await settle()
    expect(stream.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
      },
      {
        jsonrpc: '2.0',
        method: 'notifications/tools/list_changed',
        params: { _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
      },
    ])
    expect([stream.ended(), stage.events.map(({ surface }) => surface)]).toEqual([false, ['subscriptions/listen']])
    stream.leave()
    await settle()
    await driver.send({ method: 'notifications/late' }, stage.scene())
    await driver.close()
    expect(stage.reports.map(({ code }) => code)).toEqual(['not-delivered'])
  })
})
