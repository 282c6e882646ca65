/** §7.1.4, key by key: the exact result on the wire. §7.1.2, event by event: the exact entry in the trace. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { openServer } from '../../support/mcp-server.ts'

const text = (value: string) => [{ type: 'text', text: value }]

describe('every key of the state', () => {
  it.each<[string, Value, string, Value | undefined, Value]>([
    [
      'protocol_version, as written for any client',
      { protocol_version: '2024-11-05' },
      'initialize',
      { protocolVersion: '2025-11-25' },
      expect.objectContaining({ protocolVersion: '2024-11-05' }),
    ],
    [
      'capabilities, and nothing beside them',
      { capabilities: { tools: 'yes', x: [1] } },
      'initialize',
      {},
      expect.objectContaining({ capabilities: { tools: 'yes', x: [1] } }),
    ],
    [
      'server_info, of any type',
      { server_info: { name: 'n', title: 7 } },
      'initialize',
      {},
      expect.objectContaining({ serverInfo: { name: 'n', title: 7 } }),
    ],
    [
      'instructions, filled',
      { instructions: 'Ask {{request.clientInfo.name}} for secrets' },
      'initialize',
      { clientInfo: { name: 'ada' } },
      expect.objectContaining({ instructions: 'Ask ada for secrets' }),
    ],
    [
      'instructions, filled with the rest of the answer',
      { instructions: '{{response.serverInfo.name}}', server_info: { name: 'n' } },
      'initialize',
      {},
      expect.objectContaining({ instructions: 'n' }),
    ],
    [
      'tools, filled with the rest of the list',
      { tools: [{ name: '{{response.tools}}' }] },
      'tools/list',
      {},
      { tools: [{ name: '[{"name":"{{response.tools}}"}]' }] },
    ],
    [
      'a state without any: the defaults of the binding',
      {},
      'initialize',
      {},
      {
        protocolVersion: '2025-11-25',
        capabilities: {
          tools: { listChanged: true },
          resources: { subscribe: true, listChanged: true },
          prompts: { listChanged: true },
          logging: {},
          completions: {},
        },
        serverInfo: { name: 'oatf-server', version: '1.0.0' },
      },
    ],
    [
      'tools, without responses',
      {
        tools: [
          { name: 'a', inputSchema: 7, _meta: { k: 1 }, 'x-own': true, responses: [{ content: [] }] },
          'no mapping',
          { description: 'no name, but {{request.cursor}}' },
        ],
      },
      'tools/list',
      { cursor: 'here' },
      {
        tools: [
          { name: 'a', inputSchema: 7, _meta: { k: 1 }, 'x-own': true },
          'no mapping',
          { description: 'no name, but here' },
        ],
      },
    ],
    ['tools that are absent', {}, 'tools/list', undefined, { tools: [] }],
    [
      'resources, without content',
      { resources: [{ uri: 'u://a', name: 'a', mimeType: 'm', content: { text: 't' } }] },
      'resources/list',
      undefined,
      { resources: [{ uri: 'u://a', name: 'a', mimeType: 'm' }] },
    ],
    ['resources that are absent', {}, 'resources/list', undefined, { resources: [] }],
    [
      'resource_templates',
      { resource_templates: [{ uriTemplate: 'u://{a}', name: 't', content: { text: 'x' } }] },
      'resources/templates/list',
      undefined,
      { resourceTemplates: [{ uriTemplate: 'u://{a}', name: 't' }] },
    ],
    ['resource_templates that are absent', {}, 'resources/templates/list', undefined, { resourceTemplates: [] }],
    [
      'prompts, without responses',
      { prompts: [{ name: 'p', arguments: [{ name: 'x' }], responses: [{ messages: [] }] }] },
      'prompts/list',
      undefined,
      { prompts: [{ name: 'p', arguments: [{ name: 'x' }] }] },
    ],
    ['prompts that are absent', {}, 'prompts/list', undefined, { prompts: [] }],
  ])('%s', async (_, state, method, params, expected) => {
    const { ask, stage } = await openServer(state)
    expect(await ask(method, params)).toEqual(expected)
    expect(stage.reports).toEqual([])
  })

  it.each<[string, Value, string, Value]>([
    ['tools', 'x', 'tools/list', { tools: 'x' }],
    ['tools', null, 'tools/list', { tools: null }],
    ['tools', { name: 'a', responses: [] }, 'tools/list', { tools: { name: 'a' } }],
    ['resources', 3, 'resources/list', { resources: 3 }],
    ['prompts', {}, 'prompts/list', { prompts: {} }],
    ['resource_templates', true, 'resources/templates/list', { resourceTemplates: true }],
  ])('%s of the wrong kind (%j) goes out as written, with a warning', async (key, value, method, expected) => {
    const { ask, stage } = await openServer({ [key]: value })
    expect(await ask(method)).toEqual(expected)
    expect(stage.reports).toEqual([
      { code: 'state-malformed', message: `${key} is not a list; it was sent as written`, path: key },
    ])
  })

  it.each([null, 'text', [1]])('a state that is %j is an empty server', async (state) => {
    const { ask } = await openServer(state)
    expect(await ask('tools/list')).toEqual({ tools: [] })
  })
})

describe('tools/call', () => {
  const tool = (...responses: Value[]) => ({ tools: [{ name: 't', responses }] })
  it.each<[string, Value, Value]>([
    [
      'a mapping is the result, every field of it',
      tool({ content: { content: 'odd', isError: 3, x: { y: null } } }),
      { content: 'odd', isError: 3, x: { y: null } },
    ],
    ['a list is wrapped', tool({ content: text('a') }), { content: text('a') }],
    ['a text is the result', tool({ content: 'bare' }), 'bare'],
    ['a number is the result', tool({ content: 0 }), 0],
    [
      'the entry whose condition holds',
      tool(
        { when: { 'arguments.q': 'no' }, content: 'no' },
        { when: { 'arguments.q': 'yes' }, content: 'yes' },
        { content: 'else' },
      ),
      'yes',
    ],
    ['filled with the request', tool({ content: text('for {{request.arguments.q}}') }), { content: text('for yes') }],
    [
      'filled with the answer itself, as written',
      tool({ content: { mark: 'm {{request.arguments.q}}', again: '{{response.mark}}' } }),
      { mark: 'm yes', again: 'm {{request.arguments.q}}' },
    ],
    [
      'filled with the answer that a list becomes',
      tool({ content: ['{{response.content}}'] }),
      { content: ['["{{response.content}}"]'] },
    ],
    ['no entry at all', tool(), { content: [] }],
    ['an entry without content', tool({ synthesize: { prompt: 'p' } }), { content: [] }],
    ['no entry that holds', tool({ when: { name: 'other' }, content: 'no' }), { content: [] }],
  ])('%s', async (_, state, expected) => {
    const { ask } = await openServer(state)
    expect(await ask('tools/call', { name: 't', arguments: { q: 'yes' } })).toEqual(expected)
  })

  it('an unknown tool is an error', async () => {
    const { ask } = await openServer({ tools: [{ name: 't' }] })
    const unknown = (name: string) => ({ code: -32602, message: `Unknown tool: ${name}` })
    expect(await ask('tools/call', { name: 'u' })).toEqual(unknown('u'))
    expect(await ask('tools/call', ['t'])).toEqual(unknown('undefined'))
    expect(await ask('tools/call', { name: { a: 1 } })).toEqual(unknown('[object Object]'))
  })

  it('a name with a template is found by what the list shows', async () => {
    const { ask, stage } = await openServer({ tools: [{ name: 'get_{{kind}}', responses: [{ content: 'found' }] }] })
    stage.values.set('kind', 'mail')
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 'get_mail' }] })
    expect(await ask('tools/call', { name: 'get_mail' })).toBe('found')
  })
})

describe('prompts/get', () => {
  const prompt = (...responses: Value[]) => ({
    prompts: [{ name: 'p', description: 'of {{request.name}}', responses }],
  })
  const messages = [{ role: 'user', content: 'odd' }]
  it.each<[string, Value, Value]>([
    ['messages, with the description', prompt({ messages }), { description: 'of p', messages }],
    ['messages of the wrong kind', prompt({ messages: 7 }), { description: 'of p', messages: 7 }],
    ['content as the result', prompt({ content: { any: 'thing' } }), { any: 'thing' }],
    ['content that is a list', prompt({ content: messages }), { description: 'of p', messages }],
    ['no entry', prompt(), { description: 'of p', messages: [] }],
    ['no description', { prompts: [{ name: 'p', responses: [{ messages }] }] }, { messages }],
  ])('%s', async (_, state, expected) => {
    const { ask } = await openServer(state)
    expect(await ask('prompts/get', { name: 'p' })).toEqual(expected)
  })

  it('sees itself in its templates', async () => {
    const prompts = [{ name: 'p', description: 'd', responses: [{ messages: '{{response.description}}' }] }]
    const { ask } = await openServer({ prompts })
    expect(await ask('prompts/get', { name: 'p' })).toEqual({ description: 'd', messages: 'd' })
  })

  it('an unknown prompt is an error', async () => {
    const { ask } = await openServer({})
    expect(await ask('prompts/get', { name: 'p' })).toEqual({ code: -32602, message: 'Unknown prompt: p' })
  })
})

describe('resources/read', () => {
  const resource = (content?: Value) => ({
    resources: [{ uri: 'u://a', name: 'a', mimeType: 'text/plain', ...(content === undefined ? {} : { content }) }],
  })
  const base = { uri: 'u://a', mimeType: 'text/plain' }
  it.each<[string, Value, Value]>([
    ['text', resource({ text: 'about {{request.uri}}' }), [{ ...base, text: 'about u://a' }]],
    ['bytes', resource({ blob: 'AAAA' }), [{ ...base, blob: 'AAAA' }]],
    [
      'fields of its own',
      resource({ text: 't', mimeType: 'other', _meta: {} }),
      [{ ...base, mimeType: 'other', text: 't', _meta: {} }],
    ],
    [
      'several',
      resource([{ text: '1' }, { text: '2', uri: 'u://b' }]),
      [
        { ...base, text: '1' },
        { ...base, text: '2', uri: 'u://b' },
      ],
    ],
    ['no type', { resources: [{ uri: 'u://a', content: { text: '' } }] }, [{ uri: 'u://a', text: '' }]],
    ['nothing', resource(), []],
    [
      'a template',
      { resource_templates: [{ uriTemplate: 'u://{x}', content: { text: '{{request.uri}}!' } }] },
      [{ uri: 'u://a', text: 'u://a!' }],
    ],
  ])('%s', async (_, state, contents) => {
    const { ask, stage } = await openServer(state)
    expect(await ask('resources/read', { uri: 'u://a' })).toEqual({ contents })
    expect(stage.reports).toEqual([])
  })

  it('sees itself in its templates', async () => {
    const { ask } = await openServer({ resources: [{ uri: 'u', content: { text: '{{response.contents}}' } }] })
    const text = '[{"uri":"u","text":"{{response.contents}}"}]'
    expect(await ask('resources/read', { uri: 'u' })).toEqual({ contents: [{ uri: 'u', text }] })
  })

  it('content of the wrong type is sent as written, with a warning', async () => {
    const { ask, stage } = await openServer(resource('plain'))
    expect(await ask('resources/read', { uri: 'u://a' })).toEqual({ contents: ['plain'] })
    expect(stage.reports).toMatchObject([{ code: 'state-malformed', path: 'resources[0]' }])
  })

  it('an unknown resource is an error', async () => {
    const { ask } = await openServer({ resource_templates: [{ uriTemplate: 'u://{x}', name: 'without content' }] })
    expect(await ask('resources/read', { uri: 'u://a' })).toEqual({
      code: -32002,
      message: 'Resource not found: u://a',
    })
  })

  it('sends an app with its metadata', async () => {
    const type = 'text/html;profile=mcp-app'
    const _meta = { ui: { csp: { connectDomains: ['https://a.example'] }, prefersBorder: true } }
    const tool = { name: 'show', _meta: { ui: { resourceUri: 'ui://a/b', visibility: ['app'] } } }
    const app = { uri: 'ui://a/b', name: 'B', mimeType: type, content: { text: '<!doctype html>', _meta } }
    const extensions = { 'io.modelcontextprotocol/ui': { mimeTypes: [type] } }
    const { ask } = await openServer({ capabilities: { tools: {}, extensions }, tools: [tool], resources: [app] })
    expect(await ask('initialize', {})).toMatchObject({ capabilities: { extensions } })
    expect(await ask('tools/list', {})).toEqual({ tools: [tool] })
    expect(await ask('resources/read', { uri: 'ui://a/b' })).toEqual({
      contents: [{ uri: 'ui://a/b', mimeType: type, text: '<!doctype html>', _meta }],
    })
  })
})

describe('every other method', () => {
  it.each<[string, Value]>([
    ['ping', {}],
    ['resources/subscribe', {}],
    ['resources/unsubscribe', {}],
    ['logging/setLevel', {}],
    ['completion/complete', { completion: { values: [], total: 0, hasMore: false } }],
    ['server/discover', { code: -32601, message: 'Method not found: server/discover' }],
    ['tasks/list', { code: -32601, message: 'Method not found: tasks/list' }],
    ['made/up', { code: -32601, message: 'Method not found: made/up' }],
    ['toString', { code: -32601, message: 'Method not found: toString' }],
  ])('%s', async (method, expected) => {
    const { ask } = await openServer({})
    expect(await ask(method, { uri: 'u', level: 'info' })).toEqual(expected)
  })
})

describe('every event', () => {
  it.each(['initialize', 'ping', 'tools/list', 'tools/call', 'resources/read', 'vendor/new'])(
    'the request %s: in with its params, out with its result or error',
    async (method) => {
      const { post, stage } = await openServer({})
      const params = { name: 'a', wrong: [null], _meta: { progressToken: 1 } }
      const { messages } = await post({ jsonrpc: '2.0', id: 'x', method, params })
      const { result, error } = messages[0] as { result?: Value; error?: Value }
      const session = method === 'initialize' ? { session: 'id-1' } : {}
      const shared = { surface: method, phase: 'phase-1', ...session }
      const about = method === 'tools/call' ? { about: 'a' } : {}
      expect(stage.messages).toEqual([
        { direction: 'request', flow: 'in', content: params, ...shared },
        { direction: 'response', flow: 'out', content: result ?? error, ...shared, ...about },
      ])
      expect(stage.events).toEqual([{ surface: method, content: params, phase: 'phase-1' }])
    },
  )

  it.each([
    'notifications/initialized',
    'notifications/cancelled',
    'notifications/roots/list_changed',
    'notifications/x',
  ])('the notification %s: in, and nothing out but 202', async (method) => {
    const { post, stage } = await openServer({})
    const answer = await post({ jsonrpc: '2.0', method, params: { requestId: 1 } })
    expect([answer.status, await answer.text()]).toEqual([202, ''])
    expect(stage.messages).toEqual([
      { direction: 'request', flow: 'in', surface: method, content: { requestId: 1 }, phase: 'phase-1' },
    ])
    expect(stage.events).toEqual([{ surface: method, content: { requestId: 1 }, phase: 'phase-1' }])
  })

  it('params that are absent are recorded as empty', async () => {
    const { post, stage } = await openServer({})
    await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    expect(stage.messages[0]?.content).toEqual({})
  })

  it.each([0, 'x', null, 1.5, { a: [] }, [null], true])('the id %j comes back as it was', async (id) => {
    const { post } = await openServer({})
    const { messages } = await post({ jsonrpc: '2.0', id, method: 'ping' })
    expect(messages).toEqual([{ jsonrpc: '2.0', id, result: {} }])
  })

  it('is answered from the phase in which it arrived', async () => {
    const { ask, stage } = await openServer({ tools: [{ name: 'before' }] })
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 'before' }] })
    stage.enter({ tools: [{ name: 'after' }] })
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 'after' }] })
    expect(stage.messages.map(({ phase }) => phase)).toEqual(['phase-1', 'phase-1', 'phase-2', 'phase-2'])
  })
})

it('x-joust-cache: how long and for whom results of MCP 2026-07-28 are cached', async () => {
  const version = '2026-07-28'
  const state = { protocol_version: version, 'x-joust-cache': { ttlMs: 9, cacheScope: 'public' } }
  const { post, stage } = await openServer(state)
  const ask = async (method: string) => {
    const prefix = 'io.modelcontextprotocol/'
    const _meta = { [`${prefix}protocolVersion`]: version, [`${prefix}clientCapabilities`]: {} }
    const headers = { 'mcp-protocol-version': version, 'mcp-method': method }
    const { messages } = await post({ jsonrpc: '2.0', id: 1, method, params: { _meta } }, headers)
    return messages[0]
  }
  const result = { resultType: 'complete', ttlMs: 9, cacheScope: 'public', tools: [] }
  expect(await ask('tools/list')).toEqual({ jsonrpc: '2.0', id: 1, result })
  expect(await ask('completion/complete')).not.toHaveProperty('result.ttlMs')
  stage.enter({ protocol_version: version, 'x-joust-cache': 'long' })
  expect(await ask('tools/list')).toHaveProperty('result.ttlMs', 0)
  expect(stage.reports).toMatchObject([
    { code: 'state-malformed', message: 'x-joust-cache: expected a mapping, got a string' },
  ])
})

it('x-joust-headers: headers and status of every answer; null removes one', async () => {
  const headers = { 'X-Trap': '{{trap}}', ':status': 401, 'content-type': null, 'content-length': '9', bad: ['list'] }
  const { call, stage } = await openServer({ 'x-joust-headers': headers })
  stage.values.set('trap', 'door')
  const answer = await call('POST', { accept: '*/*' }, '{"jsonrpc":"2.0","id":1,"method":"ping"}')
  expect([answer.status, answer.headers, await answer.text()]).toEqual([
    401,
    { 'x-trap': 'door' },
    '{"jsonrpc":"2.0","id":1,"result":{}}',
  ])
  expect(stage.reports.map(({ message }) => message)).toEqual([
    'x-joust-headers: content-length cannot be sent: content-length cannot be replaced, because another value breaks the connection',
    'x-joust-headers: bad cannot be sent: expected a string, or null to remove the header, got a list',
  ])
})
