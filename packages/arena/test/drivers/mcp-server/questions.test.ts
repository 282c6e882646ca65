/** What a server sends while it handles a request: elicitations (§7.1.4) and the messages of an entry. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { openServer, settle } from '../../support/mcp-server.ts'

const tools = [{ name: 't', responses: [{ content: [{ type: 'text', text: 'got {{password}}' }] }] }]
const call = (name = 't', args: Value = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})
const schema = { type: 'object', properties: { password: { type: 'string' } } }

describe('an elicitation', () => {
  it.each<[string, Value, Value]>([
    [
      'of a form',
      { message: 'Hello {{request.arguments.user}}', requestedSchema: schema, url: 'u', elicitationId: 'e' },
      { mode: 'form', message: 'Hello ada', requestedSchema: schema },
    ],
    [
      'with fields of its own',
      { message: 1, requestedSchema: 'odd', _meta: { a: '{{request.name}}' }, x: null },
      { mode: 'form', message: 1, requestedSchema: 'odd', _meta: { a: 't' }, x: null },
    ],
    [
      'of a page',
      {
        mode: 'url',
        message: 'm',
        url: 'https://x.test/{{request.name}}',
        elicitationId: 'e',
        requestedSchema: schema,
      },
      { mode: 'url', message: 'm', url: 'https://x.test/t', elicitationId: 'e' },
    ],
    [
      'of a page without an id',
      { mode: 'url', message: 'm', url: 'u' },
      { mode: 'url', message: 'm', url: 'u', elicitationId: 'id-1' },
    ],
    [
      'of an unknown mode',
      { mode: 'odd', url: 'u', requestedSchema: 1 },
      { mode: 'odd', url: 'u', requestedSchema: 1 },
    ],
  ])('%s', async (_, elicitation, params) => {
    const { post } = await openServer({ tools, elicitations: [elicitation] })
    const answer = await post(call('t', { user: 'ada' }))
    await settle()
    expect(answer.messages).toEqual([{ jsonrpc: '2.0', id: expect.any(String), method: 'elicitation/create', params }])
  })

  it('precedes the answer, which can use its reply', async () => {
    const password = {
      name: 'password',
      source: 'response',
      type: 'json_path',
      selector: '$.content.password',
    } as const
    const { initialize, post, stage } = await openServer({ tools, elicitations: [{ message: 'm' }] }, [password])
    const session = await initialize()
    const answer = await post(call(), session)
    await settle()
    expect(answer.ended()).toBe(false)
    const reply = { action: 'accept', content: { password: 'hunter2' } }
    expect((await post({ jsonrpc: '2.0', id: 'id-2', result: reply }, session)).status).toBe(202)
    await settle()
    expect(answer.messages[1]).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'got hunter2' }] },
    })
    expect(answer.ended()).toBe(true)
    expect(stage.messages.slice(2).map(({ flow, direction, surface }) => `${flow} ${direction} ${surface}`)).toEqual([
      'in request tools/call',
      'out request elicitation/create',
      'in response elicitation/create',
      'out response tools/call',
    ])
    expect(stage.events.slice(1)).toMatchObject([
      { surface: 'elicitation/create', content: reply },
      { surface: 'tools/call' },
    ])
  })

  it('is sent only when its condition holds, one after the other, and for prompts too', async () => {
    const elicitations = [
      { when: { name: 'other' }, message: 'never' },
      { when: { name: 'p' }, message: 'first' },
      { message: 'second' },
      'no mapping',
    ]
    const { post } = await openServer({ prompts: [{ name: 'p' }], elicitations })
    const answer = await post({ jsonrpc: '2.0', id: 1, method: 'prompts/get', params: { name: 'p' } })
    await settle()
    expect(answer.messages).toMatchObject([{ params: { message: 'first' } }])
    await post({ jsonrpc: '2.0', id: 'id-1', result: { action: 'decline' } })
    await settle()
    expect(answer.messages).toMatchObject([{ params: { message: 'first' } }, { params: { message: 'second' } }])
    await post({ jsonrpc: '2.0', id: 'id-2', error: { code: -1, message: 'no' } })
    await settle()
    expect(answer.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: { messages: [] } })
  })

  it('without a reply delays the call until a timeout', async () => {
    const { initialize, post, clock, stage } = await openServer({ tools, elicitations: [{ message: 'm' }] })
    const answer = await post(call(), await initialize())
    await clock.advance(29_999)
    expect(answer.ended()).toBe(false)
    await clock.advance(1)
    expect(answer.messages.at(-1)).toMatchObject({ id: 1, result: {} })
    expect(stage.reports[0]).toEqual({
      code: 'reply-missing',
      message: 'elicitation/create: no reply within 30000 ms',
    })
  })

  it.each<[string, Value, Value]>([
    ['says nothing of elicitations', {}, { message: 'm' }],
    ['takes forms, where a page is asked for', { elicitation: { form: {} } }, { mode: 'url', message: 'm', url: 'u' }],
  ])('is sent to a client that %s, but hardly waited for', async (_, capabilities, elicitation) => {
    const { initialize, post, clock } = await openServer({ tools, elicitations: [elicitation] })
    const answer = await post(call(), await initialize(undefined, capabilities))
    await clock.advance(999)
    expect(answer.messages).toMatchObject([{ method: 'elicitation/create' }])
    await clock.advance(1)
    expect(answer.messages.at(-1)).toMatchObject({ id: 1, result: {} })
  })

  it('is not part of other requests, nor of tools that are not there', async () => {
    const { ask } = await openServer({ tools, elicitations: [{ message: 'm' }] })
    expect(await ask('tools/list')).toEqual({ tools: [{ name: 't' }] })
    expect(await ask('tools/call', { name: 'u' })).toMatchObject({ code: -32602 })
  })

  it('that is not a list is reported', async () => {
    const { ask, stage } = await openServer({ tools, elicitations: { message: 'm' } })
    expect(await ask('tools/call', { name: 't' })).toMatchObject({ content: [{}] })
    expect(stage.reports).toContainEqual({
      code: 'state-malformed',
      message: 'elicitations is not a list, so none was sent',
      path: 'elicitations',
    })
  })
})

describe('x-joust-during', () => {
  const during = (...steps: Value[]) => ({
    tools: [{ name: 't', responses: [{ content: 'done', 'x-joust-during': steps }] }],
  })
  const progress = (params: Value) => ({ send: { method: 'notifications/progress', params } })

  it('sends messages in order and waits for replies', async () => {
    const { post, stage } = await openServer(
      during(
        { send: { method: 'notifications/message', params: { data: 'for {{request.arguments.user}}' } } },
        { send: { method: 'sampling/createMessage', params: { maxTokens: 1 } } },
        { send: { method: 'roots/list' } },
      ),
    )
    const answer = await post(call('t', { user: 'ada' }))
    await settle()
    expect(answer.messages).toEqual([
      { jsonrpc: '2.0', method: 'notifications/message', params: { data: 'for ada' } },
      { jsonrpc: '2.0', id: 'id-1', method: 'sampling/createMessage', params: { maxTokens: 1 } },
    ])
    await post({ jsonrpc: '2.0', id: 'id-1', result: {} })
    await settle()
    expect(answer.messages.at(-1)).toMatchObject({ id: 'id-2', method: 'roots/list' })
    await post({ jsonrpc: '2.0', id: 'id-2', result: {} })
    await settle()
    expect(answer.messages.at(-1)).toEqual({ jsonrpc: '2.0', id: 1, result: 'done' })
    expect(stage.events.map(({ surface }) => surface)).toEqual(['sampling/createMessage', 'roots/list', 'tools/call'])
  })

  it.each<[string, Value, Value, Value[]]>([
    ['a number', { progressToken: 7 }, { progress: 1 }, [{ progressToken: 7, progress: 1 }]],
    ['a text', { progressToken: 'a' }, { progress: 1 }, [{ progressToken: 'a', progress: 1 }]],
    [
      'one of the author',
      { progressToken: 7 },
      { progressToken: 'x', progress: 1 },
      [{ progressToken: 'x', progress: 1 }],
    ],
    ['none', {}, { progress: 1 }, []],
  ])('gives progress the token of the request: %s', async (_, _meta, params, expected) => {
    const { post } = await openServer(during(progress(params)))
    const answer = await post({ ...call(), params: { name: 't', _meta } })
    await settle()
    expect(answer.messages).toEqual([
      ...expected.map((sent) => ({ jsonrpc: '2.0', method: 'notifications/progress', params: sent })),
      { jsonrpc: '2.0', id: 1, result: 'done' },
    ])
  })

  it('that is malformed is reported', async () => {
    const { ask, stage } = await openServer(during('odd', { send: { params: {} } }))
    expect(await ask('tools/call', { name: 't' })).toBe('done')
    expect(stage.reports).toMatchObject([
      { code: 'state-malformed', path: 'tools[0].responses' },
      { code: 'state-malformed' },
    ])
  })
})
