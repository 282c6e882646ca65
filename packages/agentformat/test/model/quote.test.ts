import { expect, test } from 'vitest'
import { quoteValue } from '../../src/model/quote.ts'

test.each([
  ['text', '"text"'],
  ['x'.repeat(70), `"${'x'.repeat(60)}…"`],
  [1.5, '1.5'],
  [true, 'true'],
  [null, 'null'],
  [[1], 'a list'],
  [{}, 'a mapping'],
  [undefined, 'undefined'],
])('%j', (value, described) => {
  expect(quoteValue(value)).toBe(described)
})
