import { describe, expect, test } from 'vitest'
import type { HttpHandler } from '../../src/model/http.ts'
import { createMemoryHttp, fetchOver } from '../../src/transport/memory-http.ts'
import { describeHttp } from './http-contract.ts'

describeHttp('HTTP in memory', 5000, () => createMemoryHttp(5000))

test('the first one to listen has the origin of the network', async () => {
  const network = createMemoryHttp()
  expect((await network.listen(async () => {})).origin).toBe(network.origin)
  expect(new URL(network.origin).hostname).toBe('127.0.0.1')
})

test('the client gets the exception of a handler', async () => {
  const network = createMemoryHttp()
  const { origin } = await network.listen(async () => {
    throw new Error('a defect of ours')
  })
  await expect(network.send({ method: 'GET', url: origin, signal: new AbortController().signal })).rejects.toThrow(
    'a defect of ours',
  )
})

test('networks are isolated', async () => {
  const [one, other] = [createMemoryHttp(), createMemoryHttp()]
  await one.listen(async (_request, reply) => reply.end())
  const call = { method: 'GET', url: one.origin, signal: new AbortController().signal }
  expect((await one.send(call)).status).toBe(200)
  await expect(other.send(call)).rejects.toMatchObject({ code: 'connect_failed' })
})

describe('fetch over memory', () => {
  async function serve(handler: HttpHandler) {
    const network = createMemoryHttp()
    const listening = await network.listen(handler)
    return { origin: listening.origin, close: listening.close, reach: fetchOver(network.send) }
  }

  test('a request and its answer, as a client of the platform has them', async () => {
    const { origin, reach } = await serve(async ({ method, target, headers, body }, reply) => {
      reply.head(201, { 'content-type': 'application/json', 'x-a': 'b' })
      await reply.end(JSON.stringify([method, target, headers['x-key'], new TextDecoder().decode(body)]))
    })
    const response = await reach(`${origin}/p?q=1`, { method: 'POST', headers: { 'X-Key': 'k' }, body: 'text' })
    expect([response.status, response.headers.get('x-a')]).toEqual([201, 'b'])
    expect(await response.json()).toEqual(['POST', '/p?q=1', 'k', 'text'])
  })

  test('an answer without a body', async () => {
    const { origin, reach } = await serve(async (_, reply) => {
      reply.head(204)
      await reply.end()
    })
    expect((await reach(origin)).body).toBeNull()
  })

  test('a stream arrives in pieces, and leaving it notifies the server', async () => {
    let left: (() => void) | undefined
    const gone = new Promise<void>((resolve) => {
      left = resolve
    })
    const { origin, reach } = await serve(async ({ signal }, reply) => {
      signal.addEventListener('abort', () => left?.())
      await reply.write('one')
    })
    const reader = (await reach(origin)).body?.getReader()
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one')
    await reader?.cancel()
    await gone
  })

  test('a closed connection rejects', async () => {
    const { origin, reach } = await serve(async (_, reply) => {
      await reply.write('one')
      reply.destroy()
    })
    await expect((await reach(origin)).text()).rejects.toThrow('closed the connection')
    await expect(reach('http://127.0.0.1:1/')).rejects.toThrow('nothing listens at 127.0.0.1:1')
  })

  test('a signal ends the request with its own reason', async () => {
    const stop = new AbortController()
    const { origin, reach } = await serve(() => new Promise(() => {}))
    const asking = reach(origin, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await expect(asking).rejects.toThrow('enough')
  })
})
