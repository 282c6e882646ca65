import { expect, test } from 'vitest'
import { findingsIn, testRule } from '../harness.ts'

const threshold = (value: string) => `attack: {indicators: [{semantic: {threshold: ${value}}}]}`
const path = 'attack.indicators[0].semantic.threshold'

testRule('V-022', {
  valid: [
    threshold('0.5'),
    threshold('0.0'),
    threshold('1.0'),
    'attack: {indicators: [{semantic: {}}, {semantic: 2}, {threshold: 2}]}',
  ],
  invalid: [
    [threshold('-0.1'), path],
    [threshold('1.1'), path],
    [threshold('"0.5"'), path],
    [threshold('null'), path],
  ],
  message: 'from 0 to 1, got a number (-0.1)',
})

test.each([Number.NaN, Number.POSITIVE_INFINITY, true, {}])('reports %s in a document built in memory', (value) => {
  const document = { attack: { indicators: [{ semantic: { threshold: value } }] } }
  expect(findingsIn('V-022', document).map((found) => found.path)).toEqual([path])
})
