import { expect, test } from 'vitest'
import type { Exchange } from '../src/index.ts'
import { createLog } from '../src/run-log.ts'

function exchange(sequence: number, body: string): Exchange {
  const request = { headers: [], size: body.length, body }
  return {
    sequence,
    method: 'POST',
    path: '/v1/messages',
    request,
    end: 'unanswered',
    started: 0,
    duration: 0,
    diagnostics: [],
  }
}

test('keeps calls and bytes within limits, and counts the rest', () => {
  const log = createLog({ calls: 2, bytes: 10 })
  const [first, second, third] = [log.place(), log.place(), log.place()]
  expect([first.sequence, third.sequence, first.room]).toEqual([1, 3, 10])
  second.keep(exchange(2, '{"a":1}'))
  expect(log.place().room).toBe(3)
  first.keep(exchange(1, '{"b":22}'))
  expect(log.place().room).toBe(0)
  third.keep(exchange(3, '{}'))
  expect(log.calls().map(({ sequence }) => sequence)).toEqual([1, 2])
  expect(log.dropped()).toBe(1)
})
