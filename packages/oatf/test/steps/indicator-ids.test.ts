import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

const ids = (attack: Value): unknown[] => {
  const { indicators } = runStep('N-003', attack) as { indicators: { id?: string }[] }
  return indicators.map((indicator) => indicator.id)
}

test('N-003: the id of the attack, else "indicator", and the position in two digits', () => {
  expect(ids({ id: 'ACME-001', indicators: [{}, {}] })).toEqual(['ACME-001-01', 'ACME-001-02'])
  expect(ids({ indicators: [{}, {}] })).toEqual(['indicator-01', 'indicator-02'])
})

test('N-003: own ids stay, and still take a position', () => {
  expect(ids({ id: 'A-001', indicators: [{}, { id: 'A-001-77' }, {}] })).toEqual(['A-001-01', 'A-001-77', 'A-001-03'])
})

test('N-003: the hundredth needs three digits', () => {
  expect(ids({ indicators: Array(100).fill({}) }).slice(8, 10)).toEqual(['indicator-09', 'indicator-10'])
  expect(ids({ indicators: Array(100).fill({}) }).at(-1)).toBe('indicator-100')
})
