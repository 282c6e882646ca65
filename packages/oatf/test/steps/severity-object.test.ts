import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

test.each<[attack: Value, expected: Value]>([
  [{ severity: 'high' }, { severity: { level: 'high', confidence: 50 } }],
  [{ severity: 'informational' }, { severity: { level: 'informational', confidence: 50 } }],
  [{ severity: { level: 'low', confidence: 80 } }, { severity: { level: 'low', confidence: 80 } }],
  [{ name: 'no severity' }, { name: 'no severity' }],
])('N-002: %j', (attack, expected) => {
  expect(runStep('N-002', attack)).toEqual(expected)
})
