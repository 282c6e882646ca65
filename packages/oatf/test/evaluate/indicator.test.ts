import { err, ok, type Result, type Value } from '@joust/source'
import { describe, expect, test, vi } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { compileIndicator, evaluateIndicator, evaluateIndicatorAsync } from '../../src/evaluate/indicator.ts'
import type { Indicator } from '../../src/model/document.ts'
import type { EvaluationError } from '../../src/model/errors.ts'
import type { AsyncSemanticEvaluator, SemanticEvaluator } from '../../src/model/evaluators.ts'

const now = () => Date.UTC(2026, 1, 15)
const cel = createCelEvaluator()
const scoring = (score: number): SemanticEvaluator => ({ evaluate: () => ok(score) })
const message: Value = { name: 'send', texts: ['hello', 'secret'] }

const pattern: Indicator = {
  id: 'p',
  target: 'texts[*]',
  pattern: { target: 'texts[*]', condition: { contains: 'cre' } },
}
const expression: Indicator = { id: 'e', target: '', expression: { cel: "message.name == 'send'" } }
const semantic: Indicator = { id: 's', target: 'texts[*]', semantic: { target: 'texts[*]', intent: 'leak' } }

describe('evaluateIndicator', () => {
  test('a pattern that matches says where and what', () => {
    expect(evaluateIndicator(pattern, message, { now })).toEqual({
      indicator_id: 'p',
      result: 'matched',
      timestamp: '2026-02-15T00:00:00.000Z',
      evidence: 'texts[1]: secret',
      match: { path: 'texts[1]', value: 'secret', span: { start: 2, end: 5 } },
    })
  })

  test('a pattern that does not match has nothing to show', () => {
    expect(evaluateIndicator(pattern, {}, { now })).toEqual({
      indicator_id: 'p',
      result: 'not_matched',
      timestamp: '2026-02-15T00:00:00.000Z',
    })
  })

  test('a target that is only on the indicator is used', () => {
    expect(evaluateIndicator({ target: 'name', pattern: { starts_with: 'se' } }, message).result).toBe('matched')
    expect(
      evaluateIndicator({ target: 'texts[*]', semantic: { intent: 'x' } }, message, { semantic: scoring(1) }).result,
    ).toBe('matched')
  })

  test('a pattern that cannot be evaluated is an error with its reason', () => {
    const verdict = evaluateIndicator({ ...pattern, pattern: { target: 'name', condition: { regex: '(' } } }, message)
    expect(verdict.result).toBe('error')
    expect(verdict.evidence).toContain('type_error')
  })

  test('limits reach the pattern, and the evidence names the one that was hit', () => {
    const verdict = evaluateIndicator(
      { ...pattern, pattern: { target: 'name', condition: { regex: 'send' } } },
      message,
      {
        limits: { regexPattern: 3 },
      },
    )
    expect(verdict).toMatchObject({ result: 'error', evidence: expect.stringContaining('regexPattern') })
  })

  test.each<[cel: string, result: string]>([
    ["message.name == 'send'", 'matched'],
    ["message.name == 'other'", 'not_matched'],
    ['message.missing', 'error'],
    ['message.name', 'error'],
    ['1 +', 'error'],
  ])('the expression %s is %s', (text, result) => {
    const verdict = evaluateIndicator({ ...expression, expression: { cel: text } }, message, { cel })
    expect(verdict.result).toBe(result)
    if (result === 'matched') expect(verdict.evidence).toBe(text)
    if (result === 'error') expect(verdict.evidence).toMatch(/^(cel_error|type_error): ./)
  })

  test.each<[score: number, result: string]>([
    [0.9, 'matched'],
    [0.2, 'not_matched'],
    [Number.NaN, 'error'],
    [7, 'error'],
    [-1, 'error'],
  ])('a semantic score of %d is %s', (score, result) => {
    const verdict = evaluateIndicator(semantic, message, { semantic: scoring(score) })
    expect(verdict.result).toBe(result)
    if (result !== 'error') expect(verdict.evidence).toBe(`score ${score} against threshold 0.7`)
  })

  test('a semantic match shows the value with the best score', () => {
    const evaluate = (text: string) => ok(text === 'secret' ? 0.95 : 0.1)
    expect(evaluateIndicator(semantic, message, { semantic: { evaluate } }).match).toEqual({
      path: 'texts[1]',
      value: 'secret',
    })
  })

  test('a missing semantic target is no match, and the evaluator is not called', () => {
    const evaluate = vi.fn(() => ok(1))
    const verdict = evaluateIndicator(semantic, {}, { semantic: { evaluate }, now })
    expect(verdict).toEqual({ indicator_id: 's', result: 'not_matched', timestamp: '2026-02-15T00:00:00.000Z' })
    expect(evaluate).not.toHaveBeenCalled()
  })

  test.each<[string, Indicator]>([
    ['CEL', expression],
    ['semantic', semantic],
  ])('without a %s evaluator the indicator is skipped, with the reason', (name, indicator) => {
    const verdict = evaluateIndicator(indicator, message)
    expect(verdict.result).toBe('skipped')
    expect(verdict.evidence).toBe(`no ${name} evaluator is configured`)
  })

  test('the source is for the tool to fill in', () => {
    expect(evaluateIndicator(pattern, message)).not.toHaveProperty('source')
  })
})

describe('evaluators that break their contract', () => {
  const broken = () => {
    throw new Error('out of order')
  }

  test.each([
    ['CEL that throws', expression, { cel: { evaluate: broken } }, 'cel_error: out of order'],
    [
      'CEL that throws while compiling',
      expression,
      { cel: { evaluate: broken, compile: broken } },
      'cel_error: out of order',
    ],
    ['semantic that throws', semantic, { semantic: { evaluate: broken } }, 'semantic_error: out of order'],
    [
      'semantic that returns nothing',
      semantic,
      { semantic: { evaluate: () => undefined as never } },
      'semantic_error: no score',
    ],
  ])('%s: an error', (_, indicator, evaluators, evidence) => {
    expect(evaluateIndicator(indicator, message, evaluators)).toMatchObject({ result: 'error', evidence })
  })

  test('an error that is returned is passed on', () => {
    const failing: SemanticEvaluator = { evaluate: () => err({ kind: 'semantic_error', message: 'model unavailable' }) }
    expect(evaluateIndicator(semantic, message, { semantic: failing }).evidence).toBe(
      'semantic_error: model unavailable',
    )
  })
})

describe('values that are not indicators', () => {
  test.each([
    [null],
    [5],
    ['x'],
    [[]],
    [{}],
    [{ id: 'x', target: '' }],
    [{ pattern: null }],
    [{ semantic: 'x', expression: 5 }],
  ])('%j is an error', (indicator) => {
    const verdict = evaluateIndicator(indicator as unknown as Indicator, message, { cel, semantic: scoring(1) })
    expect(verdict).toMatchObject({ result: 'error', evidence: expect.stringContaining('unsupported_method') })
  })

  test('an indicator without an id has an empty one', () => {
    expect(evaluateIndicator({ target: 'name', pattern: { contains: 's' } }, message).indicator_id).toBe('')
  })
})

describe('compileIndicator', () => {
  test('prepares once, then stamps each verdict with its own time', () => {
    let time = now()
    const compiled = compileIndicator(pattern, { now: () => time })
    expect(compiled(message)).toMatchObject({ result: 'matched', timestamp: '2026-02-15T00:00:00.000Z' })
    time += 1500
    expect(compiled({ texts: [] })).toMatchObject({ result: 'not_matched', timestamp: '2026-02-15T00:00:01.500Z' })
  })

  test('compiles CEL once', () => {
    const compile = vi.fn((text: string) => cel.compile?.(text) ?? ok(() => ok(false)))
    const compiled = compileIndicator(expression, { cel: { evaluate: cel.evaluate, compile } })
    expect([message, {}, message].map((one) => compiled(one).result)).toEqual(['matched', 'error', 'matched'])
    expect(compile).toHaveBeenCalledOnce()
  })
})

describe('evaluateIndicatorAsync', () => {
  const later = (score: number): AsyncSemanticEvaluator => ({ evaluate: async () => ok(score) })

  test('waits for the evaluator', async () => {
    await expect(evaluateIndicatorAsync(semantic, message, { semantic: later(0.9), now })).resolves.toEqual(
      evaluateIndicator(semantic, message, { semantic: scoring(0.9), now }),
    )
    expect((await evaluateIndicatorAsync(semantic, message, { semantic: later(0.1) })).result).toBe('not_matched')
  })

  test('takes one that answers at once, too', async () => {
    expect((await evaluateIndicatorAsync(semantic, message, { semantic: scoring(0.9) })).result).toBe('matched')
  })

  test.each<[string, AsyncSemanticEvaluator]>([
    ['rejects', { evaluate: () => Promise.reject(new Error('offline')) }],
    [
      'throws',
      {
        evaluate: () => {
          throw new Error('offline')
        },
      },
    ],
    ['returns an error', { evaluate: async () => err({ kind: 'semantic_error', message: 'offline' }) }],
  ])('one that %s gives an error', async (_, evaluator) => {
    const verdict = await evaluateIndicatorAsync(semantic, message, { semantic: evaluator })
    expect(verdict).toMatchObject({ result: 'error', evidence: 'semantic_error: offline' })
  })

  test.each<[Indicator]>([[pattern], [expression], [{ ...pattern, semantic: { intent: 'x' } }]])(
    'says the same as evaluateIndicator about %j',
    async (indicator) => {
      const evaluators = { cel, semantic: scoring(0), now }
      expect(await evaluateIndicatorAsync(indicator, message, evaluators)).toEqual(
        evaluateIndicator(indicator, message, evaluators),
      )
    },
  )

  test('skips without an evaluator', async () => {
    expect((await evaluateIndicatorAsync(semantic, message)).result).toBe('skipped')
    expect((await evaluateIndicatorAsync(expression, message)).result).toBe('skipped')
  })

  test.each([[null], [{ semantic: null }], [{ semantic: 5 }], [{ semantic: { intent: 'x', target: 'a[0]' } }]])(
    'takes any value: %j',
    async (indicator) => {
      const verdict = await evaluateIndicatorAsync(indicator as unknown as Indicator, message, { semantic: later(1) })
      expect(verdict.result).toBe('error')
    },
  )
})

describe('the match of an expression', () => {
  const verdict = (target: string, cel: string, message: Value) =>
    evaluateIndicator({ id: 'e', target, expression: { cel } }, message, { cel: createCelEvaluator() })

  test('is the first value at its target, with the longest text of the expression in it', () => {
    const said = { parts: [{ text: 'Say box-7 now' }, { text: 'No' }] }
    const cel = 'message.parts.exists(p, p.text.contains("box") && p.text.contains("box-7"))'
    expect(verdict('parts[*].text', cel, said)).toMatchObject({
      evidence: cel,
      match: { path: 'parts[0].text', value: 'Say box-7 now', span: { start: 4, end: 9 } },
    })
    expect(verdict('parts[*].text', 'size(message.parts) == 2', said).match).toEqual({
      path: 'parts[0].text',
      value: 'Say box-7 now',
    })
  })

  test('is not known where the target is the whole message or leads nowhere', () => {
    for (const target of ['', 'other', 'a..b', '['.repeat(9)])
      expect(verdict(target, 'true', { name: 'a' })).toEqual(expect.not.objectContaining({ match: expect.anything() }))
  })
})

describe('an evaluator that does not return a result', () => {
  const indicator: Indicator = { target: 'text', semantic: { intent: 'greet' } }
  const verdicts = (answer: unknown) => {
    const semantic = { evaluate: () => answer as Result<number, EvaluationError> }
    return [evaluateIndicator(indicator, { text: 'hello' }, { semantic })]
  }

  test.each<[answer: unknown, evidence: RegExp]>([
    [0.9, /^semantic_error: .* number \(0\.9\) instead of/],
    [Promise.resolve({ ok: true, value: 0.9 }), /^semantic_error: .* promise; use evaluateIndicatorAsync/],
    [undefined, /^semantic_error: /],
    [null, /^semantic_error: /],
    [{ ok: false }, /^semantic_error: /],
    [{ ok: false, error: 'offline' }, /^semantic_error: "offline"/],
    [{ ok: true, value: '1' }, /^semantic_error: .* is not between 0 and 1/],
  ])('%s is an error, never an exception', async (answer, evidence) => {
    expect(verdicts(answer)).toMatchObject([{ result: 'error', evidence: expect.stringMatching(evidence) }])
  })

  test('the rejections of promises are ignored', async () => {
    const rejections: unknown[] = []
    const listen = (reason: unknown) => rejections.push(reason)
    process.on('unhandledRejection', listen)
    const semantic = { evaluate: (async () => Promise.reject(new Error('offline'))) as () => never }
    const verdict = evaluateIndicator({ ...indicator, target: 'text[*]' }, { text: ['hello', 'hi'] }, { semantic })
    expect(verdict).toMatchObject({ result: 'error', evidence: expect.stringMatching(/promise; use/) })
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.off('unhandledRejection', listen)
    expect(rejections).toEqual([])
  })

  test('a bare number is an error of the asynchronous evaluation too', async () => {
    const semantic = { evaluate: async () => 0.9 as unknown as Result<number, EvaluationError> }
    const verdict = await evaluateIndicatorAsync(indicator, { text: 'hello' }, { semantic })
    expect(verdict).toMatchObject({ result: 'error', evidence: expect.stringContaining('number (0.9)') })
  })
})

test('values that throw when they are read are errors', async () => {
  const broken = (): never => {
    throw new Error('out of order')
  }
  const value = Object.defineProperty({}, 'a', { get: broken, enumerable: true }) as Value
  const proxy = new Proxy({}, { ownKeys: broken, get: broken, getOwnPropertyDescriptor: broken }) as Value
  const semantic = { evaluate: () => ok(1) }
  const evidence = expect.stringMatching(/^(type|cel|semantic)_error: out of order$/)
  for (const message of [value, proxy])
    for (const indicator of [
      { target: 'a', pattern: { contains: 'x' } },
      { target: '', pattern: { regex: 'x' } },
      { target: '', semantic: { intent: 'x' } },
    ]) {
      expect(evaluateIndicator(indicator, message, { semantic })).toMatchObject({ result: 'error', evidence })
      expect(await evaluateIndicatorAsync(indicator, message, { semantic })).toMatchObject({
        result: 'error',
        evidence,
      })
    }
  const indicator = Object.defineProperty({ target: 'a' }, 'pattern', { get: broken, enumerable: true })
  expect(evaluateIndicator(indicator, {})).toMatchObject({ result: 'error', evidence })
})

test('evaluators that are not an object are errors, and an id that throws is absent', async () => {
  const evidence = 'type_error: expected evaluators as an object, got null'
  for (const indicator of [pattern, semantic]) {
    expect(evaluateIndicator(indicator, message, null as never)).toMatchObject({ result: 'error', evidence })
    expect(await evaluateIndicatorAsync(indicator, message, null as never)).toMatchObject({ result: 'error', evidence })
  }
  const broken = Object.defineProperty({ ...pattern }, 'id', {
    get() {
      throw new Error('out of order')
    },
  })
  expect(evaluateIndicator(broken, message)).toMatchObject({ indicator_id: '', result: 'matched' })
})
