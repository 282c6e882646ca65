import { describe, expect, test } from 'vitest'
import { createBoundedFetch, isSameHost } from '../../src/connectors/bounded-fetch.ts'
import { useHttp } from '../support/http.ts'

const serve = useHttp()

describe('the same host', () => {
  test.each([
    ['http://localhost:8080/a', 'http://127.0.0.1:8080/b', true],
    ['http://[::1]:8080', 'http://0.0.0.0:8080', true],
    ['https://example.org', 'https://example.org:443/x', true],
    ['http://example.org', 'http://example.org:80', true],
    ['http://localhost:8080', 'http://localhost:8081', false],
    ['http://example.org', 'https://example.org', false],
    ['http://example.org', 'http://example.org.evil.net', false],
    ['http://localhost', 'http://127.0.0.1.evil.net', false],
  ])('%s and %s: %s', (a, b, same) => {
    expect(isSameHost(new URL(a), new URL(b))).toBe(same)
  })
})

describe('fetching', () => {
  test('another host is rejected before a connection is opened', async () => {
    const reach = createBoundedFetch({ url: await serve(() => {}), headers: { authorization: 'k' } })
    await expect(reach('http://example.org/')).rejects.toThrow('request to http://example.org blocked')
  })

  test('a custom fetch has the same restrictions', async () => {
    const asked: unknown[] = []
    const own: typeof fetch = async (input, init) => {
      asked.push([String(input), new Headers(init?.headers).get('x-key')])
      return new Response('x'.repeat(11))
    }
    const reach = createBoundedFetch({ url: 'http://peer.test/', headers: { 'x-key': 'k' }, fetch: own }, 10)
    await expect((await reach('http://peer.test/a')).text()).rejects.toThrow('larger than 10 bytes')
    await expect(reach('http://other.test/')).rejects.toThrow('request to http://other.test blocked')
    expect(asked).toEqual([['http://peer.test/a', 'k']])
  })

  test('a redirect is not followed', async () => {
    const url = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
    expect((await createBoundedFetch({ url })(url)).status).toBe(302)
  })

  test('headers of the binding are sent; those of the protocol take precedence', async () => {
    const url = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const reach = createBoundedFetch({ url, headers: { 'x-key': 'k', accept: 'everything' } })
    const response = await reach(url, { headers: { accept: 'application/json' } })
    expect(await response.json()).toMatchObject({ 'x-key': 'k', accept: 'application/json' })
  })

  test('a response may not exceed the limit', async () => {
    const url = await serve((request, response) => response.end('x'.repeat(Number(request.url?.slice(1)))))
    const reach = createBoundedFetch({ url }, 1000)
    expect(await (await reach(`${url}/1000`)).text()).toHaveLength(1000)
    await expect((await reach(`${url}/1001`)).text()).rejects.toThrow('the response is larger than 1000 bytes')
  })

  test('the limit applies to single events of a stream', async () => {
    const events = (size: number, count: number) => `data: ${'x'.repeat(size)}\r\n\r\n`.repeat(count)
    const url = await serve((request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(request.url === '/many' ? events(900, 50) : events(1100, 1))
    })
    const reach = createBoundedFetch({ url }, 1000)
    expect((await (await reach(`${url}/many`)).text()).length).toBeGreaterThan(45_000)
    await expect((await reach(`${url}/large`)).text()).rejects.toThrow('an event is larger than 1000 bytes')
  })

  test('lines of one event are counted together', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
      response.end(`data: ${'x'.repeat(90)}\n`.repeat(20))
    })
    await expect((await createBoundedFetch({ url }, 1000)(url)).text()).rejects.toThrow('an event is larger')
  })
})
