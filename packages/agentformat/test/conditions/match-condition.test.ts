import type { Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compileCondition, type Lookup, matchCondition } from '../../src/conditions/match-condition.ts'
import type { Conditions, Matcher } from '../../src/model/condition.ts'

const values =
  (record: { readonly [key: string]: Value }): Lookup =>
  (key) => {
    const value = Object.hasOwn(record, key) ? record[key] : undefined
    return value
  }
const matches = (matcher: Matcher, value: Value) => matchCondition({ args_match: { x: matcher } }, values({ x: value }))
const group = (args: { readonly [key: string]: Matcher }) => ({ args_match: args })

describe('groups', () => {
  test('all entries of one group must match', () => {
    const condition = [group({ a: 1, b: 2 }), group({ c: 3 })]
    expect(matchCondition(condition, values({ a: 1, b: 2, c: 0 })).matched).toBe(true)
    expect(matchCondition(condition, values({ a: 1, b: 0, c: 0 })).matched).toBe(false)
    expect(matchCondition(condition, values({ a: 0, b: 0, c: 3 })).matched).toBe(true)
  })

  test('an empty args_match matches always', () => {
    expect(matchCondition({ args_match: {} }, values({}))).toEqual({ matched: true, decided: true, unevaluable: [] })
  })

  test('OPEN-17: so does a group without args_match', () => {
    expect(matchCondition({}, values({}))).toMatchObject({ matched: true })
    // A mistyped key, which the types would reject, has the same effect.
    expect(matchCondition(JSON.parse('{"arg_match":{"a":1}}'), values({}))).toMatchObject({ matched: true })
  })
})

test('OPEN-33: an empty list of groups is undecided', () => {
  expect(matchCondition([], values({}))).toEqual({ matched: false, decided: false, unevaluable: [] })
})

describe('OPEN-18: equality without coercion', () => {
  test.each<[Matcher, Value]>([
    ['a', 'a'],
    [1, 1.0],
    [0, -0],
    [true, true],
    ['', ''],
  ])('%j equals %j', (matcher, value) => {
    expect(matches(matcher, value)).toEqual({ matched: true, decided: true, unevaluable: [] })
  })

  test.each<[Matcher, Value]>([
    ['a', 'A'],
    ['é', 'e\u0301'],
    [1, '1'],
    ['1', 1],
    [true, 1],
    [true, 'true'],
    ['', null],
    ['a', ['a']],
  ])('%j does not equal %j', (matcher, value) => {
    expect(matches(matcher, value).matched).toBe(false)
  })
})

describe('operators', () => {
  test.each<[Matcher, Value, boolean]>([
    [{ gt: 5 }, 6, true],
    [{ gt: 5 }, 5, false],
    [{ gte: 5 }, 5, true],
    [{ lt: 5 }, 4.9, true],
    [{ lte: 5 }, 5.1, false],
    [{ ne: 'a' }, 'b', true],
    [{ ne: 'a' }, 'a', false],
    [{ in: ['DELETE', 'DROP'] }, 'DROP', true],
    [{ in: ['DELETE', 'DROP'] }, 'SELECT', false],
    [{ in: [] }, 'x', false],
    [{ not_in: ['a', 1] }, 'b', true],
    [{ not_in: ['a', 1] }, 1, false],
    [{ not_in: [] }, 'b', true],
  ])('%j on %j', (matcher, value, holds) => {
    expect(matches(matcher, value)).toEqual({ matched: holds, decided: true, unevaluable: [] })
  })

  test('OPEN-16: all operators must match, and no operators always match', () => {
    const range = { gte: 1, lt: 5 }
    expect([0, 1, 4, 5].map((value) => matches(range, value).matched)).toEqual([false, true, true, false])
    expect(matches({}, 'anything').matched).toBe(true)
  })

  test('OPEN-21: a pattern searches, with case, in strings only', () => {
    expect(matches({ pattern: 'b+' }, 'abbc').matched).toBe(true)
    expect(matches({ pattern: '^b' }, 'abbc').matched).toBe(false)
    expect(matches({ pattern: 'B' }, 'abbc').matched).toBe(false)
    expect(matches({ pattern: '5' }, 5)).toMatchObject({ matched: false, unevaluable: [{ key: 'x' }] })
  })

  test('OPEN-21: a pattern runs in linear time, and an invalid one never matches', () => {
    expect(matches({ pattern: '^(a+)+$' }, `${'a'.repeat(5000)}!`)).toMatchObject({ matched: false, decided: true })
    expect(matches({ pattern: '(?=a)' }, 'a')).toMatchObject({ matched: false, decided: false })
    // A match that takes too much work is left undecided, too.
    expect(matches({ pattern: '(a|b)*c{1,50}' }, 'a'.repeat(2_000_000))).toMatchObject({
      matched: false,
      decided: false,
    })
  })
})

test('OPEN-22: numbers are doubles, beyond 2^53 too', () => {
  expect(matches(JSON.parse('9007199254740993'), 2 ** 53).matched).toBe(true)
  expect(matches({ gt: 1e308 }, Number.MAX_VALUE).matched).toBe(true)
})

describe('OPEN-19: a value of the wrong type', () => {
  test.each<[Matcher, Value]>([
    [{ gt: 5 }, '6'],
    [{ lte: 5 }, null],
    [{ pattern: 'a' }, ['a']],
    [5, '5'],
    [{ in: ['DELETE'] }, ['DELETE']],
    ['a', { a: 1 }],
  ])('%j cannot evaluate %j, and reports it', (matcher, value) => {
    const outcome = matches(matcher, value)
    expect(outcome).toMatchObject({ matched: false, decided: false, unevaluable: [{ key: 'x' }] })
    expect(outcome.unevaluable[0]?.reason).toMatch(/^expected a .*, got /)
  })

  test.each<[Matcher, Value]>([
    [{ ne: 5 }, '5'],
    [{ ne: 'a' }, null],
    [{ not_in: [1, 2] }, '1'],
    [{ ne: 'a' }, ['a']],
    [{ not_in: ['a'] }, {}],
  ])('%j matches %j: they are unequal', (matcher, value) => {
    expect(matches(matcher, value)).toEqual({ matched: true, decided: true, unevaluable: [] })
  })
})

describe('OPEN-20: a missing value', () => {
  test.each<Matcher>([5, { gt: 5 }, { ne: 5 }, { not_in: [5] }, { in: [5] }, { pattern: '' }, {}])(
    '%j does not match',
    (matcher) => {
      expect(matchCondition({ args_match: { x: matcher } }, values({}))).toEqual({
        matched: false,
        decided: false,
        unevaluable: [{ key: 'x', reason: 'missing value' }],
      })
    },
  )
})

describe('OPEN-33: an unevaluable entry leaves the outcome undecided, unless another one decides', () => {
  test('another entry that fails decides the group', () => {
    const outcome = matchCondition(group({ operation: 'DELETE', amount: { gt: 5 } }), values({ operation: 'READ' }))
    expect(outcome).toMatchObject({ matched: false, decided: true, unevaluable: [{ key: 'amount' }] })
  })

  test('another group that matches decides the whole', () => {
    const outcome = matchCondition(
      [group({ amount: { gt: 5 } }), group({ operation: 'DELETE' })],
      values({ operation: 'DELETE' }),
    )
    expect(outcome).toMatchObject({ matched: true, decided: true, unevaluable: [{ key: 'amount' }] })
  })

  test('another operator that fails decides the entry', () => {
    expect(matches({ gt: 5, pattern: 'a' }, 3)).toMatchObject({ matched: false, decided: true })
    expect(matches({ ne: 'x', gt: 5 }, 'y')).toMatchObject({ matched: false, decided: false })
  })
})

const literal = fc.oneof(fc.string(), fc.double(), fc.boolean())
const operators = fc.record(
  {
    gt: fc.double(),
    gte: fc.integer(),
    lt: fc.double(),
    lte: fc.integer(),
    ne: literal,
    pattern: fc.string(),
    in: fc.array(literal),
    not_in: fc.array(literal),
  },
  { requiredKeys: [] },
)
const groups = fc.record({
  args_match: fc.dictionary(fc.constantFrom('a', 'b', '__proto__'), fc.oneof(literal, operators)),
})

test('is pure and repeatable', () => {
  fc.assert(
    fc.property(
      fc.array(groups, { minLength: 1 }),
      fc.dictionary(fc.constantFrom('a', 'b'), fc.jsonValue()),
      (condition, record) => {
        const before = JSON.stringify([condition, record])
        // `fc.jsonValue` produces JSON values, which is what `Value` stands for.
        const lookup = values(record as { readonly [key: string]: Value })
        const test = compileCondition(condition)
        const first = test(lookup)
        expect(test(lookup)).toEqual(first)
        expect(matchCondition(condition, lookup)).toEqual(first)
        expect(matchCondition([...condition].reverse(), lookup).matched).toBe(first.matched)
        expect(JSON.stringify([condition, record])).toBe(before)
      },
    ),
    { numRuns: 300 },
  )
})

test('never throws for any condition', () => {
  fc.assert(
    fc.property(fc.anything({ maxDepth: 4 }), (anything) => {
      const condition = anything as Conditions
      const nested = { args_match: { x: anything as Matcher } }
      expect(typeof matchCondition(condition, values({ x: 1 })).matched).toBe('boolean')
      expect(typeof matchCondition(nested, values({ x: 'a' })).matched).toBe('boolean')
    }),
    { numRuns: 500 },
  )
})
