/** MCP 2026-07-28: no handshake, everything in each request, questions as results. */
import { isRecord, type Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { codes, overHttp, overPipe, replyJson, traced, type Wire } from './support.ts'

const version = { protocol_version: '2026-07-28' }
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'oatf-client', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': { roots: { listChanged: true } },
}

describe('a request', () => {
  const rows: readonly [name: string, state: Value, action: Value, params: Value, headers: Record<string, unknown>][] =
    [
      ['without params', {}, { method: 'tools/list' }, { _meta: meta }, { 'mcp-method': 'tools/list' }],
      [
        'with a name',
        {},
        { method: 'tools/call', params: { name: 'add', arguments: {} } },
        { name: 'add', arguments: {}, _meta: meta },
        { 'mcp-method': 'tools/call', 'mcp-name': 'add' },
      ],
      [
        'with a name that cannot be a header',
        {},
        { method: 'resources/read', params: { uri: 'größe' } },
        { uri: 'größe', _meta: meta },
        { 'mcp-method': 'resources/read', 'mcp-name': '=?base64?Z3LDtsOfZQ==?=' },
      ],
      [
        'with an identity',
        { client_info: { name: 'x' }, capabilities: {} },
        { method: 'ping' },
        {
          _meta: {
            ...meta,
            'io.modelcontextprotocol/clientInfo': { name: 'x' },
            'io.modelcontextprotocol/clientCapabilities': {},
          },
        },
        {},
      ],
      [
        'with words of its own',
        {},
        { method: 'ping', params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '1999', k: 1 } } },
        { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '1999', k: 1 } },
        { 'mcp-protocol-version': '1999' },
      ],
      ['of another kind', {}, { method: 'ping', params: 'text' }, 'text', { 'mcp-method': 'ping' }],
      ['with another kind of meta', {}, { method: 'ping', params: { _meta: 7 } }, { _meta: 7 }, {}],
    ]
  test.each(rows)('%s', async (_name, state, action, params, headers) => {
    const rig = await overHttp({ ...version, ...(isRecord(state) ? state : {}), actions: [action] })
    await rig.driver.open()
    await rig.perform()
    await rig.driver.close()
    expect(rig.calls).toHaveLength(1)
    const [call] = rig.calls
    expect(call?.message).toMatchObject({ id: 1, params })
    expect(call?.headers).toMatchObject({ 'mcp-protocol-version': '2026-07-28', ...headers })
    expect(call?.headers).not.toHaveProperty('mcp-session-id')
    expect(rig.stage.messages[0]).toMatchObject({ flow: 'out', content: params })
    expect(rig.stage.messages[1]).toMatchObject({ flow: 'in', request: params })
  })

  test('and a notification, which says nothing in its params', async () => {
    const rig = await overHttp({ ...version, actions: [{ method: 'notifications/x' }] })
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls[0]?.message).toEqual({ jsonrpc: '2.0', method: 'notifications/x' })
    expect(rig.calls[0]?.headers).toMatchObject({ 'mcp-method': 'notifications/x' })
    await rig.driver.close()
  })
})

describe('a result that asks for input', () => {
  const state = {
    ...version,
    actions: [{ method: 'tools/call', params: { name: 't' } }],
    elicitation_responses: [{ content: { pin: '{{request.message}}' } }],
    roots: [{ uri: 'file:///r' }],
  }
  const asking = {
    resultType: 'input_required',
    requestState: 'opaque',
    inputRequests: {
      e: { method: 'elicitation/create', params: { message: 'PIN?' } },
      r: { method: 'roots/list' },
      s: { method: 'sampling/createMessage', params: {} },
    },
  }
  const inputOf = ({ params }: Wire) =>
    isRecord(params ?? null) ? (params as Record<string, Value>).inputResponses : undefined

  test('is answered by the dispatch lists, and the call repeated', async () => {
    const rig = await overHttp(state, ({ message }, reply) =>
      replyJson(reply, message.id, inputOf(message) === undefined ? asking : { resultType: 'complete', content: [] }),
    )
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls[1]?.message).toEqual({
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: {
        name: 't',
        inputResponses: {
          e: { action: 'accept', content: { pin: 'PIN?' } },
          r: { roots: [{ uri: 'file:///r' }] },
        },
        requestState: 'opaque',
        _meta: meta,
      },
    })
    expect(rig.stage.events.map(({ surface }) => surface)).toEqual([
      'tools/call',
      'elicitation/create',
      'roots/list',
      'sampling/createMessage',
      'tools/call',
    ])
    expect(traced(rig).filter((line) => line.startsWith('out response'))).toEqual([
      'out response elicitation/create {"action":"accept","content":{"pin":"PIN?"}}',
      'out response roots/list {"roots":[{"uri":"file:///r"}]}',
      'out response sampling/createMessage {"code":-32601,"message":"Method not found"}',
    ])
    await rig.driver.close()
  })

  test('again and again is given up', async () => {
    const rig = await overHttp(state, ({ message }, reply) => replyJson(reply, message.id, asking))
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls).toHaveLength(11)
    expect(codes(rig)).toEqual(['reply-missing'])
    await rig.driver.close()
  })

  test.each([
    [{ resultType: 'input_required' }, []],
    [{ resultType: 'input_required', inputRequests: { x: 7 } }, ['message-malformed']],
    [{ resultType: 'input_required', inputRequests: 'all' }, []],
  ])('without a question that can be answered is the answer: %j', async (result, reported) => {
    const rig = await overHttp(state, ({ message }, reply) => replyJson(reply, message.id, result))
    await rig.driver.open()
    await rig.perform()
    expect(rig.calls).toHaveLength(1)
    expect(codes(rig)).toEqual(reported)
    await rig.driver.close()
  })

  test('over lines as well', async () => {
    const rig = overPipe(state)
    await rig.driver.open()
    const performed = rig.perform()
    await rig.hear()
    await rig.say({ jsonrpc: '2.0', id: 1, result: asking })
    expect(inputOf(await rig.hear())).toMatchObject({ e: { action: 'accept' } })
    await rig.say({ jsonrpc: '2.0', id: 2, result: { resultType: 'complete' } })
    await performed
    expect(rig.stage.reports).toEqual([])
    await rig.driver.close()
  })
})
