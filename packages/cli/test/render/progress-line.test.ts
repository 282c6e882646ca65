import { noOutcomes } from '@joust/trials'
import { expect, test } from 'vitest'
import { progressLine } from '../../src/render/progress-line.ts'

const outcomes = { ...noOutcomes(), resisted: 300, exploited: 112 }

test('how many, how fast, with which outcomes, and how long still', () => {
  expect(progressLine({ runs: 1000, open: 588, outcomes }, { done: 400, ms: 40_000 })).toBe(
    '412/1000 · 10 runs/s · 112 exploited, 300 resisted · about 59 s left',
  )
  expect(progressLine({ runs: 1000, open: 588, outcomes }, { done: 2, ms: 40_000 })).toContain('about 3.3 h left')
})

test('omits unknown values', () => {
  expect(progressLine({ runs: 10, open: 10, outcomes: noOutcomes() }, { done: 0, ms: 500 })).toBe('0/10')
  expect(progressLine({ runs: 412, open: 0, outcomes }, { done: 0, ms: 0 })).toBe(
    '412/412 · 112 exploited, 300 resisted',
  )
})

test('a rate below one per second is shown per minute', () => {
  expect(progressLine({ runs: 10, open: 5, outcomes: noOutcomes() }, { done: 5, ms: 300_000 })).toBe(
    '5/10 · 1.0 runs/min · about 5 min left',
  )
})

test('in few columns words are shortened first, and counts last and from the end', () => {
  const many = { runs: 10_000, open: 588, outcomes: { ...outcomes, partial: 9000 } }
  const rate = { done: 400, ms: 40_000 }
  expect(progressLine(many, rate, 80)).toBe('9412/10000 · 10/s · 59 s left · 112 exploited, 9000 partial, 300 resisted')
  expect(progressLine(many, rate, 60)).toBe('9412/10000 · 10/s · 59 s left · 112 exploited, 9000 partial…')
})
