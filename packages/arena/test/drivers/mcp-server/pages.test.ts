/** The extension `x-joust-pages`: the answer on the wire, and the event in the trace. */
import { describe, expect, it } from 'vitest'
import { openServer } from '../../support/mcp-server.ts'

const form = { 'content-type': 'application/x-www-form-urlencoded' }

describe('a page', () => {
  it('is sent with its status, headers and body, filled with the request', async () => {
    const content = {
      status: 302,
      headers: { location: '{{request.query.to}}?s={{request.query.state}}', 'x-a': null },
      body: { for: '{{request.form.code}}' },
    }
    const { call, stage } = await openServer({ 'x-joust-pages': [{ path: '/authorize', content }] })
    const answer = await call('POST', form, 'code=c%201&code_verifier=v', '/mcp/authorize?to=http://a/b&state=7')
    expect([answer.status, answer.headers.location, await answer.text()]).toEqual([
      302,
      'http://a/b?s=7',
      '{"for":"c 1"}',
    ])
    expect(answer.headers).not.toHaveProperty('x-a')
    const request = {
      verb: 'POST',
      path: '/authorize',
      query: { to: 'http://a/b', state: '7' },
      form: { code: 'c 1', code_verifier: 'v' },
    }
    const sent = { status: 302, headers: { location: 'http://a/b?s=7', 'x-a': null }, body: { for: 'c 1' } }
    expect(stage.messages).toMatchObject([
      { direction: 'request', flow: 'in', surface: 'http/page', content: request },
      { direction: 'response', flow: 'out', surface: 'http/page', content: sent },
    ])
    expect(stage.events).toMatchObject([{ surface: 'http/page', content: request }])
  })

  it('is chosen by its condition, and missing with 404 if none holds', async () => {
    const pages = [
      { path: '/token', when: { 'form.grant_type': 'refresh_token' }, content: { body: 'old' } },
      { path: '/token', when: { 'form.grant_type': 'authorization_code' }, content: { body: 'new' } },
    ]
    const { call } = await openServer({ 'x-joust-pages': pages })
    const ask = async (type: string) => call('POST', form, `grant_type=${type}`, '/token')
    expect(await (await ask('authorization_code')).text()).toBe('new')
    expect((await ask('authorization_code')).headers['content-type']).toBe('text/html; charset=utf-8')
    expect((await ask('device_code')).status).toBe(404)
  })

  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-authorization-server/mcp',
    '/mcp/.well-known/oauth-authorization-server',
  ])('with metadata is found at %s', async (place) => {
    const page = { path: '/.well-known/oauth-authorization-server', content: { body: { issuer: 'i' } } }
    const { call } = await openServer({ 'x-joust-pages': [page] })
    expect(await (await call('GET', {}, undefined, place)).text()).toBe('{"issuer":"i"}')
  })

  it('has none of the headers and the status of the messages', async () => {
    const page = { path: '/a', content: { body: 'b' } }
    const closed = { ':status': '401', 'www-authenticate': 'Bearer' }
    const { call, post } = await openServer({ 'x-joust-pages': [page], 'x-joust-headers': closed })
    const [open, refused] = [
      await call('GET', {}, undefined, '/a'),
      await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ]
    expect([open.status, open.headers['www-authenticate']]).toEqual([200, undefined])
    expect([refused.status, refused.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  })

  it('has a status as a number or a text, and reports any other', async () => {
    const contents = { '/a': { status: '{{request.query.code}}' }, '/b': { status: 99, headers: { ':status': 404 } } }
    const pages = Object.entries(contents).map(([path, content]) => ({ path, content }))
    const { call, stage } = await openServer({ 'x-joust-pages': pages })
    expect((await call('GET', {}, undefined, '/a?code=404')).status).toBe(404)
    expect(stage.reports).toEqual([])
    expect((await call('GET', {}, undefined, '/b')).status).toBe(200)
    expect(stage.reports.map(({ message }) => message)).toEqual([
      expect.stringContaining('expected a status from 200 to 599'),
      expect.stringContaining(':status cannot be sent'),
    ])
  })

  it('fills no template that came with the request', async () => {
    const page = { path: '/a', content: { headers: { 'x-b': '{{request.query.b}}' }, body: 'b: {{request.query.b}}' } }
    const { call } = await openServer({ 'x-joust-pages': [page] })
    const answer = await call('GET', {}, undefined, `/a?b=${encodeURIComponent('{{request.path}}')}`)
    expect([answer.headers['x-b'], await answer.text()]).toEqual(['{{request.path}}', 'b: {{request.path}}'])
  })

  it('does not hide other paths', async () => {
    const { call, stage } = await openServer({ 'x-joust-pages': [{ path: '/a', content: {} }] })
    expect((await call('GET', {}, undefined, '/b')).status).toBe(404)
    expect(stage.events).toEqual([])
  })
})
