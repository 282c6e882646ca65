import { err, ok, type Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { compileExpression, evaluateExpression } from '../../src/evaluate/expression.ts'
import type { ExpressionMatch } from '../../src/model/document.ts'
import type { CelContext, CelEvaluator } from '../../src/model/evaluators.ts'

const cel = createCelEvaluator()
const message: Value = { name: 'search', items: [3, 4], nested: { none: null } }

// SDK §4.3. Evaluating directly and compiling first must agree.
const both = (expression: ExpressionMatch, evaluator: CelEvaluator = cel) => {
  const direct = evaluateExpression(expression, message, evaluator)
  expect(compileExpression(expression, evaluator)(message)).toEqual(direct)
  return direct
}

describe('with the evaluator of the SDK', () => {
  test.each<[expression: ExpressionMatch, expected: boolean]>([
    [{ cel: 'true' }, true],
    [{ cel: "message.name == 'search'" }, true],
    [{ cel: 'message.items.exists(i, i > 3)' }, true],
    [{ cel: 'size(message.items) > 2' }, false],
    [{ cel: 'has(message.missing)' }, false],
    [{ cel: 'n == "search"', variables: { n: 'name' } }, true],
    [{ cel: 'whole == message', variables: { whole: '' } }, true],
    // a variable whose path does not resolve is null
    [{ cel: 'gone == null', variables: { gone: 'nested.missing' } }, true],
    [{ cel: 'none == null', variables: { none: 'nested.none' } }, true],
    [{ cel: 'bad == null', variables: { bad: 'items[*]' } }, true],
    [{ cel: 'true', variables: null }, true],
  ])('%j: %s', (expression, expected) => {
    expect(both(expression)).toEqual({ ok: true, value: expected })
  })

  test.each<[cel: string, kind: string]>([
    ['message.missing == 1', 'cel_error'],
    ['message.nested.missing.deeper > 0', 'cel_error'],
    ['undeclared', 'cel_error'],
    ['1 / 0 == 1', 'cel_error'],
    ['size(message.items)', 'type_error'],
    ['"true"', 'type_error'],
    ['null', 'type_error'],
    ['1 +', 'cel_error'],
  ])('%s is an error', (text, kind) => {
    expect(both({ cel: text })).toMatchObject({ ok: false, error: { kind } })
  })
})

describe('with any evaluator', () => {
  test('it gets the text and the context', () => {
    const evaluate = vi.fn((_: string, __: CelContext) => ok(true))
    const expression: ExpressionMatch = { cel: 'a', variables: { n: 'name', gone: 'gone', __proto__x: 'name' } }
    expect(both(expression, { evaluate })).toEqual({ ok: true, value: true })
    expect(evaluate).toHaveBeenCalledWith('a', { message, n: 'search', gone: null, __proto__x: 'search' })
    expect(evaluate).toHaveBeenCalledTimes(2)
  })

  test('one that compiles does so once for many messages', () => {
    const program = vi.fn((context: CelContext) => ok(context.message === 2))
    const compile = vi.fn(() => ok(program))
    const evaluate = vi.fn(() => ok(false))
    const prepared = compileExpression({ cel: 'x' }, { evaluate, compile })
    expect([1, 2, 3].map((value) => prepared(value))).toEqual([ok(false), ok(true), ok(false)])
    expect(compile).toHaveBeenCalledOnce()
    expect(evaluate).not.toHaveBeenCalled()
  })

  test.each<[Value]>([[null], [1], ['true'], [[]], [{}]])('%j instead of a boolean is a type error', (value) => {
    expect(both({ cel: 'x' }, { evaluate: () => ok(value) })).toMatchObject({
      ok: false,
      error: { kind: 'type_error' },
    })
  })

  test('its errors come through unchanged', () => {
    const error = { kind: 'unsupported_method', message: 'no such function', limit: 'celSteps' } as const
    expect(both({ cel: 'x' }, { evaluate: () => err(error) })).toEqual({ ok: false, error })
    expect(compileExpression({ cel: 'x' }, { evaluate: () => ok(true), compile: () => err(error) })(1)).toEqual({
      ok: false,
      error,
    })
  })

  test('one that throws gives an error', () => {
    const evaluate = () => {
      throw new Error('out of order')
    }
    expect(both({ cel: 'x' }, { evaluate })).toEqual({
      ok: false,
      error: { kind: 'cel_error', message: 'out of order' },
    })
    const compiled = compileExpression({ cel: 'x' }, { evaluate, compile: evaluate })
    expect(compiled(message)).toEqual({ ok: false, error: { kind: 'cel_error', message: 'out of order' } })
  })

  test.each<[string, () => unknown, RegExp]>([
    ['a promise', async () => ok(true), /promise/],
    ['a promise that rejects', () => Promise.reject(new Error('offline')), /promise/],
    ['a bare value', () => true, /true.* instead of a result/],
    ['no error', () => ({ ok: false }), /instead of a result/],
  ])('%s is an error', (_, answer, message) => {
    const evaluate = answer as () => never
    const error = { kind: 'cel_error', message: expect.stringMatching(message) }
    expect(both({ cel: 'x' }, { evaluate })).toEqual({ ok: false, error })
    expect(compileExpression({ cel: 'x' }, { evaluate, compile: evaluate })(1)).toEqual({ ok: false, error })
  })

  test('one that returns nothing gives an error', () => {
    const evaluate = () => undefined as never
    expect(both({ cel: 'x' }, { evaluate })).toMatchObject({ ok: false, error: { kind: 'cel_error' } })
  })
})

test('a variable of too many names is an error with the name of the limit', () => {
  const variables = { deep: Array(129).fill('a').join('.') }
  expect(both({ cel: 'deep == null', variables })).toMatchObject({ ok: false, error: { limit: 'dotPathDepth' } })
  const tight = evaluateExpression({ cel: 'true', variables: { n: 'a.b' } }, message, cel, { dotPathDepth: 1 })
  expect(tight).toMatchObject({ ok: false, error: { kind: 'path_resolution', limit: 'dotPathDepth' } })
})

test('without an evaluator the result is unknown', () => {
  expect(evaluateExpression({ cel: 'true' }, message)).toMatchObject({
    ok: false,
    error: { kind: 'unsupported_method' },
  })
})

test.each([[null], ['true'], [{}], [{ cel: 5 }], [[]]])('%j is not an expression', (expression) => {
  expect(both(expression as unknown as ExpressionMatch)).toMatchObject({ ok: false, error: { kind: 'type_error' } })
})
