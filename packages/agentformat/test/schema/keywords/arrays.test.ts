import { expect, test } from 'vitest'
import { problems } from '../problems.ts'

const text = { type: 'string' }

test.each([
  [{ items: text }, ['a', 1, 'b', 2], ['[1] type: expected a string, got 1', '[3] type: expected a string, got 2']],
  [
    { prefixItems: [text], items: { type: 'integer' } },
    [1, 'b'],
    ['[0] type: expected a string, got 1', '[1] type: expected an integer, got "b"'],
  ],
  [{ prefixItems: [text, text] }, ['a'], []],
  [{ items: false }, [1], ['[0] false: no value is allowed here']],
  [{ contains: text }, [1, 2], ['contains: at least 1 items must match "contains", got 0']],
  [{ contains: text, minContains: 2 }, ['a', 1], ['contains: at least 2 items must match "contains", got 1']],
  [{ contains: text, minContains: 0 }, [1], []],
  [{ contains: text, maxContains: 1 }, ['a', 'b'], ['maxContains: at most 1 items may match "contains", got 2']],
  [
    { contains: text, unevaluatedItems: { type: 'integer' } },
    ['a', 1, true],
    ['[2] type: expected an integer, got true'],
  ],
])('%j refuses %j', (schema, value, expected) => {
  expect(problems(schema, value)).toEqual(expected)
})
