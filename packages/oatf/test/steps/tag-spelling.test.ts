import { expect, test } from 'vitest'
import { runStep } from './run-step.ts'

test.each([
  ['rug-pull', 'rug-pull'],
  ['Rug_Pull', 'rug-pull'],
  ['Rug Pull', 'rug-pull'],
  ['TOOL_description now', 'tool-description-now'],
  ['a__b  c', 'a--b--c'],
  ['', ''],
  ['ÄRGER', 'ärger'],
])('N-008: %j becomes %j', (tag, expected) => {
  expect(runStep('N-008', { classification: { tags: [tag] } })).toEqual({ classification: { tags: [expected] } })
})

test('N-008: order and repetition stay', () => {
  expect(runStep('N-008', { classification: { tags: ['B', 'a', 'b'] } })).toEqual({
    classification: { tags: ['b', 'a', 'b'] },
  })
})

test('N-008: without tags nothing is added', () => {
  expect(runStep('N-008', { classification: { category: 'oversight_bypass' } })).toEqual({
    classification: { category: 'oversight_bypass' },
  })
})
