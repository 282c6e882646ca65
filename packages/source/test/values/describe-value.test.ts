import { expect, test } from 'vitest'
import { deepList } from '../../../oatf/test/deep-value.ts'
import { describeValue } from '../../src/values/describe-value.ts'

test.each([
  ['text', '"text"'],
  ['line\nbreak "quoted"', '"line\\nbreak \\"quoted\\""'],
  ['x'.repeat(61), `"${'x'.repeat(60)}…"`],
  [42, 'an integer (42)'],
  [0.1, 'a number (0.1)'],
  [true, 'a boolean (true)'],
  [null, 'null'],
  [[], 'a list'],
  [{ a: 1 }, 'a mapping'],
  [undefined, 'undefined (undefined)'],
  [9007199254740993n, 'an integer (9007199254740993)'],
])('%# is %s', (value, expected) => {
  expect(describeValue(value)).toBe(expected)
})

test('a deep or circular value is named, not traversed', () => {
  const cycle: unknown[] = []
  cycle.push(cycle)
  expect(describeValue(cycle)).toBe('a list')
  expect(describeValue(deepList(100_000))).toBe('a list')
})
