import type { Value } from '@joust/source'
import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

test.each<[title: string, indicator: Value, expected: Value]>([
  [
    'a pattern',
    { target: 'a.b', pattern: { contains: 'x' } },
    { target: 'a.b', pattern: { contains: 'x', target: 'a.b' } },
  ],
  ['the root', { target: '', pattern: { contains: 'x' } }, { target: '', pattern: { contains: 'x', target: '' } }],
  [
    'a target of its own comes first',
    { target: 'a', pattern: { target: 'b', contains: 'x' } },
    { target: 'a', pattern: { target: 'b', contains: 'x' } },
  ],
  [
    'even the empty one',
    { target: 'a', semantic: { target: '', intent: 'i' } },
    { target: 'a', semantic: { target: '', intent: 'i' } },
  ],
  [
    'a semantic block',
    { target: 'a', semantic: { intent: 'i' } },
    { target: 'a', semantic: { intent: 'i', target: 'a' } },
  ],
  [
    'an expression has none',
    { target: 'a', expression: { cel: 'true' } },
    { target: 'a', expression: { cel: 'true' } },
  ],
])('N-004: %s', (_, indicator, expected) => {
  expect(runStep('N-004', { indicators: [indicator] })).toEqual({ indicators: [expected] })
})
