import { expect, test } from 'vitest'
import { createMemoryHttp } from '../../src/transport/memory-http.ts'
import { describeHttp } from './http-contract.ts'

describeHttp('HTTP in memory', 5000, () => createMemoryHttp(5000))

test('the first one to listen has the origin of the network', async () => {
  const network = createMemoryHttp()
  expect((await network.listen(async () => {})).origin).toBe(network.origin)
  expect(new URL(network.origin).hostname).toBe('127.0.0.1')
})

test('the client is told what a handler threw', async () => {
  const network = createMemoryHttp()
  const { origin } = await network.listen(async () => {
    throw new Error('a defect of ours')
  })
  await expect(network.send({ method: 'GET', url: origin, signal: new AbortController().signal })).rejects.toThrow(
    'a defect of ours',
  )
})

test('networks are apart', async () => {
  const [one, other] = [createMemoryHttp(), createMemoryHttp()]
  await one.listen(async (_request, reply) => reply.end())
  const call = { method: 'GET', url: one.origin, signal: new AbortController().signal }
  expect((await one.send(call)).status).toBe(200)
  await expect(other.send(call)).rejects.toMatchObject({ code: 'connect_failed' })
})
