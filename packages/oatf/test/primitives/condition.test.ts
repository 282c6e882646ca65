import { defaultLimits } from '@joust/source'
import { describe, expect, test } from 'vitest'
import type { Condition } from '../../src/model/document.ts'
import { compileCondition } from '../../src/primitives/condition.ts'

const compile = (condition: Condition) => compileCondition(condition, defaultLimits)

describe('span: where a text satisfies the condition', () => {
  test.each<[Condition, string, [start: number, end: number] | undefined]>([
    [{ contains: 'b' }, 'abcb', [1, 2]],
    [{ contains: 'zz' }, 'abc', undefined],
    [{ starts_with: 'ab' }, 'abc', [0, 2]],
    [{ ends_with: 'bc' }, 'abc', [1, 3]],
    [{ regex: '[0-9]+' }, 'ab12c3', [2, 4]],
    [{ regex: 'b|bc' }, 'abc', [1, 2]],
    [{ regex: '(c)' }, 'abc', [2, 3]],
    [{ regex: 'é+' }, '😀éé', [2, 4]],
    [{ regex: 'x*' }, 'abc', [0, 0]],
    [{ regex: 'zz' }, 'abc', undefined],
    [{ regex: '(' }, 'abc', undefined],
    [{ contains: 'b', ends_with: 'c' }, 'abc', [1, 2]],
    [{ gt: 1 }, '2', undefined],
    [{ any_of: ['abc'] }, 'abc', undefined],
    [{ exists: true }, 'abc', undefined],
    ['abc', 'abc', undefined],
  ])('%j in %j', (condition, text, expected) => {
    expect(compile(condition).span(text)).toEqual(expected && { start: expected[0], end: expected[1] })
  })
})

describe('existsOnly: the value of a lone exists operator', () => {
  test.each<[Condition, boolean | undefined]>([
    [{ exists: true }, true],
    [{ exists: false }, false],
    [{ exists: true, contains: 'x' }, undefined],
    [{ exists: false, gt: 1 }, undefined],
    [{ exists: false, any_of: [] }, undefined],
    [{ contains: 'x' }, undefined],
    ['x', undefined],
    [null, undefined],
    [{ exists: 'yes' } as unknown as Condition, undefined],
  ])('%j', (condition, expected) => {
    expect(compile(condition).existsOnly).toBe(expected)
  })
})

test('a condition is compiled once and tests many values', () => {
  const { test: matches } = compile({ regex: '^a+$' })
  expect(['a', 'aa', 'ab', '', 'a'].map((value) => matches(value))).toEqual(
    [true, true, false, false, true].map((value) => ({ ok: true, value })),
  )
})
