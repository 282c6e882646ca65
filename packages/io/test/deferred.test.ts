import { expect, test } from 'vitest'
import { deferred } from '../src/deferred.ts'

test('waits until it is resolved, and keeps the first value', async () => {
  const { promise, resolve } = deferred<number>()
  expect(await Promise.race([promise, Promise.resolve('waits')])).toBe('waits')
  resolve(1)
  resolve(2)
  expect(await promise).toBe(1)
})
