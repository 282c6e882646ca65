import { expect, test } from 'vitest'
import { createMemoryPipe } from '../../src/transport/memory-pipe.ts'
import { describePipe, nextOf } from './pipe-contract.ts'

describePipe('a pipe in memory', async () => {
  const [ours, theirs] = createMemoryPipe(1000)
  void (async () => {
    for await (const { text } of theirs.lines) await theirs.send(text + (text.length === 1000 ? 'x' : ''))
  })()
  return ours
})

test('the other end gets all messages sent before the close, then the end', async () => {
  const [one, other] = createMemoryPipe()
  await one.send('last')
  await one.close()
  const lines = other.lines[Symbol.asyncIterator]()
  expect([await nextOf(lines), await nextOf(lines)]).toEqual([{ text: 'last' }, undefined])
  expect([one.ending(), other.ending()]).toEqual(['closed', 'the other end was closed'])
  await other.send('lost')
  await other.close()
  expect(other.ending()).toBe('closed')
})

test('a reader that stops closes its end', async () => {
  const [one, other] = createMemoryPipe()
  await one.send('first')
  for await (const _ of other.lines) break
  expect(one.ending()).toBe('the other end was closed')
})

test('a writer waits for a reader, and is released by the close', async () => {
  const [one, other] = createMemoryPipe()
  const waiting = one.send('x'.repeat(100_000))
  const winner = await Promise.race([
    waiting.then(() => 'sent'),
    new Promise((resolve) => setImmediate(() => resolve('waits'))),
  ])
  expect(winner).toBe('waits')
  await other.close()
  await waiting
})
