import type { Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import type { Condition } from '../../src/model/document.ts'
import type { EvaluationError } from '../../src/model/errors.ts'
import { evaluateCondition } from '../../src/primitives/evaluate-condition.ts'
import { deepList } from '../deep-value.ts'

type Row = [condition: Condition, value: Value, expected: boolean]

function table(title: string, rows: Row[]): void {
  test.each(rows)(`${title}: %j over %j is %s`, (condition, value, expected) => {
    const onError = vi.fn()
    expect(evaluateCondition(condition, value, { onError })).toBe(expected)
    expect(onError).not.toHaveBeenCalled()
  })
}

// SDK §5.3: string operators see a string as it is, anything else as compact JSON with sorted keys.
describe('string operators', () => {
  table('contains', [
    [{ contains: 'ell' }, 'hello', true],
    [{ contains: '' }, '', true],
    [{ contains: 'Ell' }, 'hello', false],
    [{ contains: 'hello!' }, 'hello', false],
    [{ contains: '"' }, 'no quotes are added to a string', false],
    [{ contains: '4' }, 42, true],
    [{ contains: '1.5' }, 1.5, true],
    [{ contains: 'ru' }, true, true],
    [{ contains: 'als' }, false, true],
    [{ contains: 'ul' }, null, true],
    [{ contains: '"b",1' }, ['a', 'b', 1], true],
    [{ contains: '{"a":1,"b":2}' }, { b: 2, a: 1 }, true],
    [{ contains: ' ' }, { a: [1, 2] }, false],
    [{ contains: '\\"' }, ['quote "'], true],
  ])
  table('starts_with', [
    [{ starts_with: 'he' }, 'hello', true],
    [{ starts_with: 'el' }, 'hello', false],
    [{ starts_with: 'He' }, 'hello', false],
    [{ starts_with: '-' }, -7, true],
    [{ starts_with: 'nul' }, null, true],
    [{ starts_with: 't' }, true, true],
    [{ starts_with: '["a"' }, ['a'], true],
    [{ starts_with: '{"a"' }, { b: 1, a: 2 }, true],
  ])
  table('ends_with', [
    [{ ends_with: 'lo' }, 'hello', true],
    [{ ends_with: '' }, 'hello', true],
    [{ ends_with: 'l' }, 'hello', false],
    [{ ends_with: 'hello world' }, 'world', false],
    [{ ends_with: '2' }, 42, true],
    [{ ends_with: 'e' }, false, true],
    [{ ends_with: 'l' }, null, true],
    [{ ends_with: '"a"]' }, ['a'], true],
    [{ ends_with: '"b":1}' }, { b: 1, a: 2 }, true],
  ])
  table('regex', [
    [{ regex: 'l+' }, 'hello', true],
    [{ regex: '^ell' }, 'hello', false],
    [{ regex: '^hel+o$' }, 'hello', true],
    [{ regex: 'HELLO' }, 'hello', false],
    [{ regex: '(?i)HELLO' }, 'hello', true],
    [{ regex: '' }, '', true],
    [{ regex: 'a.c' }, 'a\nc', false],
    [{ regex: '(?s)a.c' }, 'a\nc', true],
    [{ regex: '^b$' }, 'a\nb', false],
    [{ regex: '(?m)^b$' }, 'a\nb', true],
    [{ regex: '^[0-9]+$' }, 42, true],
    [{ regex: '^(true|null)$' }, true, true],
    [{ regex: '^(true|null)$' }, null, true],
    [{ regex: '^(true|null)$' }, false, false],
    [{ regex: '"path":"/etc/[a-z]+"' }, { path: '/etc/passwd' }, true],
    [{ regex: '^\\[1,2\\]$' }, [1, 2], true],
  ])
  table('keys are sorted by code point, not by UTF-16 unit', [
    [{ regex: '^{"10":0,"9":0,"B":0,"a":0}$' }, { a: 0, B: 0, 9: 0, 10: 0 }, true],
    [{ starts_with: '{"～"' }, { '😀': 1, '～': 2 }, true],
    [{ contains: '{"a":{"x":1,"y":2}}' }, { a: { y: 2, x: 1 } }, true],
  ])
})

describe('any_of', () => {
  table('deep equality with one of the list', [
    [{ any_of: ['red', 'blue'] }, 'blue', true],
    [{ any_of: ['red', 'blue'] }, 'Blue', false],
    [{ any_of: [] }, 'blue', false],
    [{ any_of: [[]] }, [], true],
    [{ any_of: [1, '1'] }, '1', true],
    [{ any_of: ['1'] }, 1, false],
    [{ any_of: [null] }, null, true],
    [{ any_of: [false] }, null, false],
    [{ any_of: [true] }, true, true],
    [{ any_of: [{ a: 1, b: [2] }] }, { b: [2], a: 1 }, true],
    [{ any_of: [{ a: 1 }] }, { a: 1, b: 2 }, false],
    [{ any_of: [[1, 2]] }, [2, 1], false],
  ])
})

describe('numeric operators', () => {
  table('compare numbers', [
    [{ gt: 1 }, 2, true],
    [{ gt: 2 }, 2, false],
    [{ lt: 2 }, 1.5, true],
    [{ lt: 2 }, 2, false],
    [{ gte: 2 }, 2, true],
    [{ gte: 2 }, 1.999, false],
    [{ lte: 2 }, 2, true],
    [{ lte: 2 }, 2.001, false],
    [{ gte: 0 }, -0, true],
    [{ gt: 1, lte: 10 }, 10, true],
    [{ gt: 1, lte: 10 }, 11, false],
  ])
  const notNumbers: Value[] = ['5', '', true, null, [5], { n: 5 }, Number.NaN]
  table(
    'are false for anything else, without an error',
    notNumbers.flatMap((value) => [
      [{ gt: 0 }, value, false],
      [{ lt: 9 }, value, false],
      [{ gte: 0 }, value, false],
      [{ lte: 9 }, value, false],
    ]),
  )
})

describe('a bare value', () => {
  const values: Value[] = [null, false, true, 0, 42, 'text', '', [], [1, ['a']], { k: { n: null } }]
  table(
    'equals itself and no other',
    values.flatMap((condition) => values.map((value): Row => [condition, value, condition === value])),
  )
  table('deep equality', [
    [42, 42.0, true],
    [0, -0, true],
    ['42', 42, false],
    [Number.NaN, Number.NaN, false],
    [[Number.NaN], [Number.NaN], false],
    [[1, 2], [1, 2, 3], false],
    [[1, 2], { 0: 1, 1: 2 }, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{}, { a: undefined as unknown as Value }, false],
    [null, 0, false],
    // an object without an operator is a value
    [{ contians: 'x' }, { contians: 'x' }, true],
    [{ contians: 'x' }, 'x', false],
    [JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'), true],
    [{}, JSON.parse('{"__proto__": 1}'), false],
  ])
})

describe('several operators', () => {
  table('all must hold', [
    [{ contains: 'a', starts_with: 'b' }, 'ba', true],
    [{ contains: 'a', starts_with: 'b' }, 'ab', false],
    [{ contains: 'key', regex: '_[0-9]+' }, 'key_1', true],
    [{ contains: 'key', regex: '_[0-9]+' }, 'key_x', false],
    [{ gt: 1, contains: '2' }, 25, true],
    [{ gt: 1, contains: '2' }, 35, false],
    [{ any_of: ['ab', 'cd'], ends_with: 'd' }, 'cd', true],
    [{ any_of: ['ab', 'cd'], ends_with: 'd' }, 'ab', false],
  ])
})

describe('exists', () => {
  table('speaks of resolution: a value at hand exists', [
    [{ exists: true }, null, true],
    [{ exists: true }, 'x', true],
    [{ exists: false }, 'x', false],
    [{ exists: false }, null, false],
    [{ exists: true, contains: 'x' }, 'x', true],
    [{ exists: true, contains: 'x' }, 'y', false],
    [{ exists: false, contains: 'x' }, 'x', false],
  ])
})

describe('reasons for a missing answer', () => {
  const ask = (condition: unknown, value: Value, limits = {}) => {
    const errors: EvaluationError[] = []
    const result = evaluateCondition(condition as Condition, value, { limits, onError: (error) => errors.push(error) })
    return { result, errors }
  }

  test.each<[title: string, condition: Condition, value: Value, limits: object, error: Partial<EvaluationError>]>([
    ['an invalid regex', { regex: '(' }, 'x', {}, { kind: 'type_error' }],
    ['a lookahead', { regex: 'a(?=b)' }, 'ab', {}, { kind: 'type_error' }],
    ['a backreference', { regex: '(a)\\1' }, 'aa', {}, { kind: 'type_error' }],
    ['a long regex', { regex: 'ab' }, 'x', { regexPattern: 1 }, { kind: 'regex_timeout', limit: 'regexPattern' }],
    ['a large regex', { regex: 'a{1000}b{1000}' }, 'x', {}, { kind: 'regex_timeout', limit: 'regexProgram' }],
    [
      'too much work',
      { regex: '[ab]+c' },
      'x'.repeat(100),
      { regexWork: 50 },
      { kind: 'regex_timeout', limit: 'regexWork' },
    ],
    ['a deep value', { contains: 'core' }, deepList(100_000), {}, { kind: 'type_error', limit: 'compactJsonDepth' }],
    ['depth over a tighter limit', { contains: '' }, [[1]], { compactJsonDepth: 1 }, { limit: 'compactJsonDepth' }],
  ])('%s is told, not passed over', (_, condition, value, limits, error) => {
    expect(ask(condition, value, limits)).toMatchObject({ result: false, errors: [error] })
  })

  test('an invalid regex shows the pattern', () => {
    expect(ask({ regex: '[' }, 'x').errors[0]?.message).toContain('"["')
  })

  test('without a listener it is false', () => {
    expect(evaluateCondition({ regex: '(' }, 'x')).toBe(false)
  })

  test('an answer that is false anyway needs no regex', () => {
    expect(ask({ gt: 1, regex: '(' }, 'x')).toEqual({ result: false, errors: [] })
  })

  test.each([
    [{ contains: 5 }],
    [{ starts_with: null }],
    [{ ends_with: ['x'] }],
    [{ regex: 1 }],
    [{ any_of: 'x' }],
    [{ gt: '0' }],
    [{ lte: null }],
    [{ exists: 'yes' }],
    [{ exists: 1 }],
  ])('the operand of %j is of no use: false', (condition) => {
    for (const value of ['x5', 5, null]) expect(ask(condition, value)).toEqual({ result: false, errors: [] })
  })
})
