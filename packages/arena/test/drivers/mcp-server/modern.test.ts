/** The wire format of MCP 2026-07-28, for documents that ask for it. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { isModern } from '../../../src/drivers/mcp-server/modern.ts'
import { openServer, settle } from '../../support/mcp-server.ts'

const version = '2026-07-28'
const modern = (state: Record<string, Value> = {}) => ({ protocol_version: version, ...state })
const tools = [{ name: 't', responses: [{ content: [{ type: 'text', text: 'got {{password}}' }] }] }]
const cache = { ttlMs: 0, cacheScope: 'private' }

/** A client that wants this wire format says so in every request. */
const _meta = { 'io.modelcontextprotocol/protocolVersion': version }
async function openModern(...given: Parameters<typeof openServer>) {
  const server = await openServer(...given)
  const ask = (method: string, params: Value = {}) => server.ask(method, { ...Object(params), _meta })
  return { ...server, ask }
}

describe('isModern', () => {
  it.each<[Value | undefined, Value, boolean]>([
    [version, { _meta }, true],
    [version, {}, false],
    [version, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2027-01-01' } }, false],
    ['2027-01-01', { _meta }, false],
    ['2025-11-25', { _meta }, false],
    [undefined, { _meta }, false],
    [9, { _meta }, false],
  ])('wire 7: %j, asked with %j: %s', (written, params, expected) => {
    expect(isModern(written, params)).toBe(expected)
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
  it.each<[string, Value, Value]>([
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

  it('without a reply in the repeated call is reported', async () => {
    const { ask, stage } = await openModern(state)
    await ask('tools/call', { name: 't' })
    expect(await ask('tools/call', { name: 't', requestState: 'id-1' })).toMatchObject({ resultType: 'complete' })
    expect(stage.reports[0]?.code).toBe('reply-missing')
  })

  it('with an unsolicited reply is requested again', async () => {
    const { ask, stage } = await openModern(state)
    expect(await ask('tools/call', { name: 't', requestState: 'mine', inputResponses: {} })).toEqual(asked)
    expect(stage.reports.map(({ code }) => code)).toEqual(['reply-unexpected'])
  })
})

describe('subscriptions/listen', () => {
  it('opens the stream of entry messages', async () => {
    const { post, driver, stage } = await openModern(modern())
    const notifications = { toolsListChanged: true }
    const stream = await post({
      jsonrpc: '2.0',
      id: 'sub',
      method: 'subscriptions/listen',
      params: { notifications, _meta },
    })
    await driver.send({ method: 'notifications/tools/list_changed' }, stage.scene())
    await settle()
    expect(stream.messages).toEqual([
      {
        jsonrpc: '2.0',
        method: 'notifications/subscriptions/acknowledged',
        params: { notifications, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } },
      },
      { jsonrpc: '2.0', method: 'notifications/tools/list_changed' },
    ])
    expect([stream.ended(), stage.events.map(({ surface }) => surface)]).toEqual([false, ['subscriptions/listen']])
    stream.leave()
    await settle()
    await driver.send({ method: 'notifications/late' }, stage.scene())
    await driver.close()
    expect(stage.reports.map(({ code }) => code)).toEqual(['not-delivered'])
  })
})
