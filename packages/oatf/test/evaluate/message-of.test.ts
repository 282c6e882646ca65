import { expect, test } from 'vitest'
import { messageOf } from '../../src/evaluate/message-of.ts'

test.each([
  [new Error('broken'), 'broken'],
  [new TypeError('worse'), 'worse'],
  ['just a word', 'just a word'],
  [undefined, 'undefined'],
  [null, 'null'],
  [42, '42'],
])('%# is %j', (thrown, expected) => {
  expect(messageOf(thrown)).toBe(expected)
})
