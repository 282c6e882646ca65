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
  expect([first.sequence, third.sequence]).toEqual([1, 3])
  // Memory for bodies on their way counts as well, until they are kept or dropped.
  expect([first.hold(6), third.hold(6), third.hold(4), first.hold(1)]).toEqual([true, false, true, false])
  third.hold(-4)
  expect(second.hold(4)).toBe(true)
  second.keep(exchange(2, '{"a"'))
  expect(third.hold(1)).toBe(false)
  first.keep(exchange(1, '{}'))
  expect([third.hold(5), third.hold(4)]).toEqual([false, true])
  third.keep(exchange(3, '{}'))
  expect(log.place().hold(1)).toBe(false)
  expect(log.calls().map(({ sequence }) => sequence)).toEqual([1, 2])
  expect(log.dropped()).toBe(1)
})
