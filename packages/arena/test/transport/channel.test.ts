import { expect, test } from 'vitest'
import { createChannel } from '../../src/transport/channel.ts'
import { settle } from '../support/fake-clock.ts'

const FULL = 64 * 1024
const bySelf = (weight: number) => weight

async function isSettled(work: Promise<unknown>): Promise<boolean> {
  let done = false
  void work.then(() => {
    done = true
  })
  await settle()
  return done
}

test('a writer waits when the channel is full, and continues when there is room', async () => {
  const channel = createChannel(bySelf)
  expect(await isSettled(channel.push(FULL - 1))).toBe(true)
  const waiting = channel.push(1)
  expect(await isSettled(waiting)).toBe(false)
  const items = channel.items[Symbol.asyncIterator]()
  expect(await items.next()).toEqual({ done: false, value: FULL - 1 })
  expect(await isSettled(waiting)).toBe(true)
})

test('an item for a waiting reader uses no capacity', async () => {
  const channel = createChannel(bySelf)
  const next = channel.items[Symbol.asyncIterator]().next()
  expect(await isSettled(channel.push(2 * FULL))).toBe(true)
  expect(await next).toEqual({ done: false, value: 2 * FULL })
})

test('the end follows queued items, and the error occurs once', async () => {
  const channel = createChannel(bySelf)
  await channel.push(1)
  channel.end(new Error('lost'))
  await channel.push(2)
  const items = channel.items[Symbol.asyncIterator]()
  expect((await items.next()).value).toBe(1)
  await expect(items.next()).rejects.toThrow('lost')
  expect((await items.next()).done).toBe(true)
})

test('cancelling drops queued items and releases writers', async () => {
  const channel = createChannel(bySelf)
  const waiting = channel.push(FULL)
  channel.cancel(new Error('stopped'))
  await waiting
  await expect(channel.items[Symbol.asyncIterator]().next()).rejects.toThrow('stopped')
})

test('a reader that stops ends its own wait, and is reported once', async () => {
  let left = 0
  const channel = createChannel(bySelf, () => left++)
  const items = channel.items[Symbol.asyncIterator]()
  const next = items.next()
  await items.return?.()
  await items.return?.()
  expect([(await next).done, left]).toEqual([true, 1])
  expect(await isSettled(channel.push(2 * FULL))).toBe(true)
})

test('leaving after the end does not count as leaving', async () => {
  let left = 0
  const channel = createChannel(bySelf, () => left++)
  await channel.push(1)
  channel.end(new Error('never seen'))
  const items = channel.items[Symbol.asyncIterator]()
  await items.return?.()
  expect([(await items.next()).done, left]).toEqual([true, 0])
})

test('many items go through in order', async () => {
  const channel = createChannel(bySelf)
  const all = Array.from({ length: 100_000 }, (_, index) => index)
  for (const item of all) void channel.push(item)
  channel.end()
  const seen: number[] = []
  for await (const item of channel.items) seen.push(item)
  expect(seen).toEqual(all)
})
