/** Where a client finds its agent: the document need not say it, and the agent cannot send it just anywhere. */
import type { Value } from '@joust/source'
import { describe, expect, it } from 'vitest'
import { createEndpoint } from '../../../src/drivers/a2a-client/endpoint.ts'
import { type Agent, json, openClient } from '../../support/a2a.ts'
import { createFakeClock } from '../../support/fake-clock.ts'
import { contextOf, createFakeStage } from '../../support/fake-stage.ts'

const actions = (...list: Value[]) => ({ actions: list })

describe('addresses of requests', () => {
  const found =
    (card: unknown): Agent =>
    ({ id, method }, reply) =>
      json(reply, method === '' ? card : { jsonrpc: '2.0', id, result: 1 })
  const lines = async (card: unknown) => {
    const { perform, heard, stage } = await openClient(
      actions({ method: 'message/send' }, { method: 'tasks/get' }),
      found(card),
      { path: '/', mayFollow: () => false },
    )
    await perform()
    return { heard: heard.map(({ line }) => line), stage }
  }
  const same = 'http://127.0.0.1:10001'

  it.each<[string, unknown, string]>([
    ['its url', { url: `${same}/a2a` }, '/a2a'],
    ['a url without a host', { url: '/a2a' }, '/a2a'],
    ['its url when it prefers JSONRPC', { url: `${same}/a`, preferredTransport: 'JSONRPC' }, '/a'],
    [
      'an interface beside another transport',
      {
        url: `${same}/grpc`,
        preferredTransport: 'GRPC',
        additionalInterfaces: [
          { transport: 'GRPC', url: 'x' },
          { transport: 'JSONRPC', url: `${same}/r` },
        ],
      },
      '/r',
    ],
    ['an interface of 1.0', { supportedInterfaces: [{ protocolBinding: 'JSONRPC', url: `${same}/v1` }] }, '/v1'],
  ])('behind a bare origin, to the place that the card names: %s', async (_, card, path) => {
    const { heard, stage } = await lines(card)
    expect(heard).toEqual(['GET /.well-known/agent-card.json', `POST ${path}`, `POST ${path}`])
    expect(stage.events.map(({ surface }) => surface)).toEqual(['message/send', 'tasks/get'])
  })

  it.each<[string, unknown]>([
    ['no url', { name: 'x' }],
    ['a url that is none', { url: 'http://[' }],
    ['another scheme', { url: 'file:///etc/passwd' }],
    ['no mapping', 'card'],
  ])('to the origin itself when the card has %s', async (_, card) => {
    const { heard, stage } = await lines(card)
    expect(heard.slice(1)).toEqual(['POST /', 'POST /'])
    expect(stage.reports).toMatchObject([{ code: 'message-malformed' }])
  })

  it('wire 4: to another host only if allowed, which is reported, and without the headers of the first', async () => {
    const { heard } = await lines({ url: 'http://127.0.0.1:10002/evil' })
    expect(heard.slice(1)).toEqual(['POST /', 'POST /'])
    const asked: string[] = []
    const {
      net,
      perform,
      stage,
      heard: kept,
    } = await openClient(actions({ method: 'message/send' }), found({ url: 'http://127.0.0.1:10002/other' }), {
      path: '',
      mayFollow: (url) => asked.push(url) > 0,
    })
    const other: unknown[] = []
    await net.listen(async ({ target, headers }, reply) => {
      other.push([target, headers.authorization])
      await json(reply, { jsonrpc: '2.0', id: 1, result: 1 })
    })
    await perform()
    expect(asked).toEqual(['http://127.0.0.1:10002/other'])
    expect([kept.length, other]).toEqual([1, [['/other', undefined]]])
    expect(stage.reports.map(({ code }) => code)).toEqual(['endpoint-moved'])
  })

  it.each([
    ['another scheme', 'https://agent.test/', 'http://agent.test/rpc'],
    ['another port', 'https://agent.test/', 'https://agent.test:8443/rpc'],
    ['loopback, from a loopback agent', 'http://localhost:1/', 'http://127.0.0.1:2/rpc'],
    ['loopback, from another machine', 'https://agent.test/', 'http://127.0.0.1:2/rpc'],
    ['loopback by its other name', 'https://agent.test/', 'http://[::1]:2/rpc'],
  ])('wire 4: a place that is another origin by %s has to be allowed', (_, given, named) => {
    const stage = createFakeStage('a2a_client', {})
    const asked: string[] = []
    const context = contextOf(stage, createFakeClock(), { mayFollow: (url) => asked.push(url) === 0 })
    const endpoint = createEndpoint(context, { url: given })
    endpoint.learn({ url: named })
    expect([endpoint.url(), endpoint.isElsewhere()]).toEqual([given, false])
    expect(asked).toEqual([named])
    expect(stage.reports.map(({ code }) => code)).toEqual(['host-not-allowed'])
  })

  it('another loopback name is the same host', () => {
    const context = contextOf(createFakeStage('a2a_client', {}), createFakeClock(), { mayFollow: () => false })
    const endpoint = createEndpoint(context, { url: 'http://127.0.0.1:9/' })
    endpoint.learn({ url: 'http://localhost:9/rpc' })
    expect([endpoint.url(), endpoint.isElsewhere()]).toEqual(['http://localhost:9/rpc', false])
  })

  it('wire 4: the address of another actor is final, regardless of its card', () => {
    const context = contextOf(createFakeStage('a2a_client', {}), createFakeClock())
    const endpoint = createEndpoint(context, { url: 'http://127.0.0.1:1', isFinal: true })
    expect(endpoint.needsCard()).toBe(false)
    endpoint.learn({ url: 'http://127.0.0.1:2/rpc' })
    expect(endpoint.url()).toBe('http://127.0.0.1:1')
  })

  it('an allowed URL with another scheme does not get the headers of the first', () => {
    const context = contextOf(createFakeStage('a2a_client', {}), createFakeClock())
    const endpoint = createEndpoint(context, { url: 'https://agent.test/' })
    endpoint.learn({ url: 'http://agent.test/rpc' })
    expect([endpoint.url(), endpoint.isElsewhere()]).toEqual(['http://agent.test/rpc', true])
  })

  it('asks for the card once, also when the document does', async () => {
    const { perform, heard } = await openClient(
      actions({ method: 'agent_card/get' }, { method: 'message/send' }, { method: 'tasks/get' }),
      found({ url: `${same}/a2a` }),
      { path: '/' },
    )
    await perform()
    expect(heard.map(({ line }) => line)).toEqual(['GET /.well-known/agent-card.json', 'POST /a2a', 'POST /a2a'])
  })

  it('wire 4: the lookup is not an event, and drops no action', async () => {
    const over = new AbortController()
    const { perform, heard, stage } = await openClient(
      actions({ method: 'message/send' }, { method: 'tasks/get' }),
      ({ id, method }, reply) => {
        // Time runs out while the card is being fetched: the first action was already on its way.
        over.abort()
        return json(reply, method === '' ? { url: same } : { jsonrpc: '2.0', id, result: 1 })
      },
      { path: '/' },
    )
    await perform(over.signal)
    expect(heard.map(({ line }) => line)).toEqual(['GET /.well-known/agent-card.json', 'POST /'])
    expect(stage.messages.map(({ flow, surface }) => `${flow} ${surface}`)).toEqual([
      'out message/send',
      'in message/send',
    ])
    expect(stage.events.map(({ surface }) => surface)).toEqual(['message/send'])
    expect(stage.reports).toMatchObject([{ code: 'action-dropped', path: 'actions[1]' }])
  })
})
