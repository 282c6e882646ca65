import type { Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import type { MatchPredicate } from '../../src/model/document.ts'
import { evaluatePredicate } from '../../src/primitives/evaluate-predicate.ts'
import { deepRecord } from '../deep-value.ts'

const message: Value = {
  name: 'run',
  nothing: null,
  arguments: { command: 'ls -la', count: 3, flags: ['-l'] },
  list: [{ a: 1 }],
}

describe('evaluatePredicate', () => {
  test.each<[predicate: MatchPredicate, expected: boolean]>([
    // equality and operators at a path
    [{ name: 'run' }, true],
    [{ name: 'Run' }, false],
    [{ 'arguments.count': 3 }, true],
    [{ 'arguments.count': '3' }, false],
    [{ 'arguments.flags': ['-l'] }, true],
    [{ 'arguments.command': { starts_with: 'ls' } }, true],
    [{ arguments: { contains: '"command":"ls -la"' } }, true],
    [{ '': { contains: '"name":"run"' } }, true],
    [{ '': 'run' }, false],
    // all entries must hold
    [{}, true],
    [{ name: 'run', 'arguments.count': { gte: 3 } }, true],
    [{ name: 'run', 'arguments.count': { gt: 3 } }, false],
    // paths that do not resolve match nothing
    [{ missing: 'x' }, false],
    [{ missing: null }, false],
    [{ missing: { contains: '' } }, false],
    [{ 'name.length': 3 }, false],
    [{ 'list.a': 1 }, false],
    [{ 'list[*].a': 1 }, false],
    [{ 'list[0].a': 1 }, false],
    [{ 'a..b': { exists: true } }, false],
    [{ __proto__x: { exists: true } }, false],
    [{ constructor: { exists: true } } as unknown as MatchPredicate, false],
    // null is a value
    [{ nothing: null }, true],
    [{ nothing: { exists: true } }, true],
    [{ nothing: { exists: false } }, false],
    [{ nothing: { contains: 'null' } }, true],
    // exists
    [{ name: { exists: true } }, true],
    [{ name: { exists: false } }, false],
    [{ missing: { exists: true } }, false],
    [{ missing: { exists: false } }, true],
    [{ 'arguments.missing.deeper': { exists: false } }, true],
    [{ 'name.first': { exists: false } }, true],
    [{ '': { exists: true } }, true],
    [{ '': { exists: false } }, false],
    // exists with other operators: true adds nothing, false contradicts them
    [{ name: { exists: true, contains: 'ru' } }, true],
    [{ name: { exists: true, contains: 'xx' } }, false],
    [{ name: { exists: false, contains: 'ru' } }, false],
    [{ missing: { exists: true, contains: 'x' } }, false],
    [{ missing: { exists: false, contains: 'x' } }, false],
    [{ missing: { exists: false, any_of: [null] } }, false],
    [{ name: 'run', missing: { exists: false } }, true],
  ])('%j: %s', (predicate, expected) => {
    expect(evaluatePredicate(predicate, message)).toBe(expected)
  })

  test.each<[Value]>([[null], [1], ['text'], [[]]])('nothing but the root resolves in %j', (value) => {
    expect(evaluatePredicate({ a: { exists: true } }, value)).toBe(false)
    expect(evaluatePredicate({ a: { exists: false } }, value)).toBe(true)
    expect(evaluatePredicate({ '': value }, value)).toBe(true)
  })

  test('a condition that cannot be evaluated is reported and does not match', () => {
    const onError = vi.fn()
    expect(evaluatePredicate({ name: { regex: '(' } }, message, { onError })).toBe(false)
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ kind: 'type_error' }))
  })

  test('limits reach the conditions', () => {
    const onError = vi.fn()
    expect(evaluatePredicate({ name: { regex: 'run' } }, message, { limits: { regexPattern: 2 }, onError })).toBe(false)
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ limit: 'regexPattern' }))
  })

  test('a path with too many segments is reported and does not match, even with exists: false', () => {
    const onError = vi.fn()
    const path = Array(129).fill('a').join('.')
    expect(evaluatePredicate({ [path]: { exists: false } }, message, { onError })).toBe(false)
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ limit: 'dotPathDepth' }))
  })

  test('a condition behind a path that is not there is not asked', () => {
    const onError = vi.fn()
    expect(evaluatePredicate({ missing: { regex: '(' } }, message, { onError })).toBe(false)
    expect(onError).not.toHaveBeenCalled()
  })

  test.each([[null], ['name'], [5], [['name']]])('%j is not a predicate: false', (predicate) => {
    expect(evaluatePredicate(predicate as unknown as MatchPredicate, message)).toBe(false)
  })

  test('deep equality has no depth', () => {
    expect(evaluatePredicate({ '': deepRecord(100_000) }, deepRecord(100_000))).toBe(true)
  })
})
