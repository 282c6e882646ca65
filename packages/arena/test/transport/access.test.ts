/** Servers beyond loopback look at who asks; on loopback they answer anybody, as before. */
import { request } from 'node:http'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { listenHttp } from '../../src/transport/http-server.ts'

const outside = Object.values(networkInterfaces())
  .flatMap((list) => list ?? [])
  .find(({ internal, family }) => !internal && family === 'IPv4')?.address

async function listen(host: string, more: { token?: string; allowedHosts?: readonly string[] } = {}) {
  const refused: string[] = []
  const listening = await listenHttp({
    host,
    ...more,
    maxBodyBytes: 1000,
    onRefused: (reason) => refused.push(reason),
  })(async (_, reply) => {
    reply.head(200)
    await reply.end('hello')
  })
  onTestFinished(() => listening.close())
  return { port: Number(new URL(listening.origin).port), refused }
}

function ask(host: string, port: number, headers: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    request({ host, port, headers }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
      .on('error', reject)
      .end()
  })
}

test('Host and Origin are checked beyond loopback', async () => {
  const { port, refused } = await listen('0.0.0.0', { allowedHosts: ['agent-host.example'] })
  const here = `127.0.0.1:${port}`
  expect(await ask('127.0.0.1', port)).toBe(200)
  expect(await ask('127.0.0.1', port, { host: 'rebound.example' })).toBe(403)
  expect(await ask('127.0.0.1', port, { host: `agent-host.example:${port}` })).toBe(200)
  expect(await ask('127.0.0.1', port, { origin: 'https://page.example' })).toBe(403)
  expect(await ask('127.0.0.1', port, { origin: `http://${here}` })).toBe(200)
  expect(refused).toHaveLength(2)
})

test('on loopback nobody is refused', async () => {
  const { port } = await listen('127.0.0.1')
  expect(await ask('127.0.0.1', port, { host: 'any.example', origin: 'https://page.example' })).toBe(200)
})

test.skipIf(outside === undefined)('a token is asked of peers that do not come from this machine', async () => {
  const { port, refused } = await listen('0.0.0.0', { token: 'open sesame' })
  const from = outside ?? ''
  expect(await ask(from, port)).toBe(401)
  expect(await ask(from, port, { authorization: 'Bearer close sesame' })).toBe(401)
  expect(await ask(from, port, { authorization: 'Bearer open sesame' })).toBe(200)
  expect(await ask('127.0.0.1', port)).toBe(200)
  expect(refused).toHaveLength(2)
})
