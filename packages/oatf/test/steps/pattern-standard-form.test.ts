import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

const becomes = (pattern: Value): unknown => {
  const { indicators } = runStep('N-005', { indicators: [{ target: 'a', pattern }] }) as {
    indicators: { pattern: unknown }[]
  }
  return indicators[0]?.pattern
}

test.each<[operator: string, operand: Value]>([
  ['contains', 'x'],
  ['starts_with', 'x'],
  ['ends_with', ''],
  ['regex', 'x+'],
  ['any_of', ['x', 1, null]],
  ['gt', 1],
  ['lt', 0],
  ['gte', -1],
  ['lte', 2.5],
])('N-005: %s moves into a condition', (operator, operand) => {
  expect(becomes({ [operator]: operand })).toEqual({ condition: { [operator]: operand } })
  expect(becomes({ target: 'b', [operator]: operand })).toEqual({ target: 'b', condition: { [operator]: operand } })
})

test.each<[condition: Value]>([
  [{ contains: 'x', gt: 1 }],
  [{ exists: true }],
  ['bare'],
  [5],
  [null],
  [[1]],
  [{ no: 'operator' }],
])('N-005: the condition %j stays as it is', (condition) => {
  expect(becomes({ condition })).toEqual({ condition })
})

test('N-005: a pattern with both is not changed; validation rejects it', () => {
  expect(becomes({ condition: 'a', contains: 'b' })).toEqual({ condition: 'a', contains: 'b' })
})

test('N-005: other methods stay', () => {
  const attack = { indicators: [{ target: '', expression: { cel: 'true' } }] }
  expect(runStep('N-005', attack)).toEqual(attack)
})
