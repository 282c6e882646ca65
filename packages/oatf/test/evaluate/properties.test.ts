import { defaultLimits, type Value } from '@joust/source'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { evaluateExpression } from '../../src/evaluate/expression.ts'
import { compileIndicator, evaluateIndicator } from '../../src/evaluate/indicator.ts'
import { compilePattern, evaluatePattern } from '../../src/evaluate/pattern.ts'
import { computeVerdict } from '../../src/evaluate/verdict.ts'
import type { IndicatorResult } from '../../src/model/enumerations.ts'
import { condition } from '../generators/conditions.ts'
import { message } from '../generators/messages.ts'
import { cel, prose, wildcardPath } from '../generators/text.ts'
import { naiveMatch } from './naive-model.ts'

/** A vocabulary so small that conditions often match values. */
const leaf = fc.constantFrom<Value>(
  '',
  'a',
  'ab',
  'b\nA',
  '1',
  0,
  1,
  2.5,
  -1,
  true,
  false,
  null,
  [],
  ['a'],
  { a: 1 },
  { b: [2], a: 1 },
  { '～': 1, '😀': 2 },
)
const word = fc.constantFrom('', 'a', 'b', 'ab', '1', '"', 'null', '{"a":1', '😀')
const operator: fc.Arbitrary<[name: string, operand: Value]> = fc.oneof(
  fc.tuple(fc.constantFrom('contains', 'starts_with', 'ends_with'), word),
  fc.tuple(fc.constant('regex'), fc.constantFrom('a', '^a', 'b$', '^[ab]+$', '^$', '.', '(?i)A', '[0-9]', '"a":1')),
  fc.tuple(fc.constant('any_of'), fc.array(leaf, { maxLength: 4 })),
  fc.tuple(fc.constantFrom('gt', 'lt', 'gte', 'lte'), fc.constantFrom(-1, 0, 1, 2, 2.5)),
  fc.tuple(fc.constant('exists'), fc.boolean()),
)
const smallCondition: fc.Arbitrary<Value> = fc.oneof(
  leaf,
  fc.array(operator, { minLength: 1, maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
)
const leaves = fc.array(leaf, { minLength: 1, maxLength: 4 })
const shapes: { [target: string]: fc.Arbitrary<Value> } = {
  '': leaf,
  x: leaf.map((x) => ({ x })),
  'x.y': leaf.map((y) => ({ x: { y } })),
  'x[*]': leaves.map((x) => ({ x })),
  'x[*].y': leaves.map((all) => ({ x: all.map((y) => ({ y })) })),
}
const anyShape = fc.oneof(...Object.values(shapes))
/** A target, and messages that mostly have a value there. */
const targeted = fc
  .constantFrom(...Object.keys(shapes))
  .chain((target) =>
    fc.tuple(
      fc.constant(target),
      fc.array(fc.oneof({ weight: 4, arbitrary: shapes[target] ?? leaf }, anyShape), { minLength: 4, maxLength: 8 }),
    ),
  )

function compareWithModel(target: string, asked: Value, messages: readonly Value[]): number {
  const indicator = { id: 'i', target, pattern: { target, condition: asked } }
  const compiled = compileIndicator(indicator)
  const expected = messages.map((one) => (naiveMatch(target, asked, one) ? 'matched' : 'not_matched'))
  expect(messages.map((one) => compiled(one).result)).toEqual(expected)
  expect(messages.map((one) => evaluateIndicator(indicator, one).result)).toEqual(expected)
  expect(messages.map((one) => evaluatePattern(indicator.pattern, one))).toEqual(
    expected.map((result) => ({ ok: true, value: result === 'matched' })),
  )
  return expected.filter((result) => result === 'matched').length
}

describe('patterns match as a literal implementation of the specification does', () => {
  test('about a few values', () => {
    let matched = 0
    fc.assert(
      fc.property(targeted, smallCondition, ([target, messages], asked) => {
        matched += compareWithModel(target, asked, messages)
      }),
      { numRuns: 1500 },
    )
    // Often enough for the comparison to mean something.
    expect(matched).toBeGreaterThan(300)
  })

  test('about anything', () => {
    fc.assert(
      fc.property(
        wildcardPath,
        condition,
        fc.array(message, { minLength: 1, maxLength: 4 }),
        (path, asked, messages) => {
          // A condition is a plain value.
          compareWithModel(path, asked as Value, messages)
        },
      ),
      { numRuns: 400 },
    )
  })

  test('show a stretch of text that really satisfies them', () => {
    const operator = fc.constantFrom('contains', 'starts_with', 'ends_with')
    fc.assert(
      fc.property(operator, prose, prose, prose, fc.nat(1500), (name, before, needle, after, padding) => {
        const [start, end] = [
          name === 'starts_with' ? '' : before + ' '.repeat(padding),
          name === 'ends_with' ? '' : after,
        ]
        const text = start + needle + end
        const result = compilePattern({ target: '', condition: { [name]: needle } }, undefined, defaultLimits)(text)
        if (!result.ok || result.value?.span === undefined) throw new Error('it must match')
        const { value, span, offset = 0 } = result.value
        expect(value.slice(span.start, span.end)).toBe(needle)
        expect(text.slice(offset, offset + value.length)).toBe(value)
      }),
      { numRuns: 500 },
    )
  })
})

test('expressions have the same result compiled, evaluated and as an indicator', () => {
  const evaluator = createCelEvaluator()
  fc.assert(
    fc.property(cel, fc.array(message, { minLength: 1, maxLength: 4 }), (expression, messages) => {
      const compiled = compileIndicator({ target: '', expression }, { cel: evaluator })
      for (const one of messages) {
        const direct = evaluateExpression(expression, one, evaluator)
        const expected = direct.ok ? (direct.value ? 'matched' : 'not_matched') : 'error'
        expect(compiled(one).result).toBe(expected)
        expect(evaluateIndicator({ target: '', expression }, one, { cel: evaluator }).result).toBe(expected)
      }
    }),
    { numRuns: 300 },
  )
})

describe('verdicts', () => {
  const results = fc.array(fc.constantFrom<IndicatorResult>('matched', 'not_matched', 'error', 'skipped'), {
    minLength: 1,
    maxLength: 12,
  })
  const logic = fc.constantFrom('any' as const, 'all' as const)

  const verdictOf = (outcomes: readonly IndicatorResult[], correlation: { logic: 'any' | 'all' }) => {
    const indicators = outcomes.map((_, index) => ({ id: `i${index}`, target: '' }))
    const verdicts = new Map(outcomes.map((result, index) => [`i${index}`, { indicator_id: `i${index}`, result }]))
    return computeVerdict({ execution: {}, indicators, correlation }, verdicts)
  }

  test('depend on how often each result occurs, not on which indicator has it', () => {
    const shuffled = results.chain((list) =>
      fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
    )
    fc.assert(
      fc.property(shuffled, logic, ([list, other], word) => {
        const [one, two] = [verdictOf(list, { logic: word }), verdictOf(other, { logic: word })]
        expect([two.result, two.evaluation_summary]).toEqual([one.result, one.evaluation_summary])
      }),
    )
  })

  test('count every indicator, and follow §9.2', () => {
    fc.assert(
      fc.property(results, logic, (list, word) => {
        const { result, evaluation_summary: summary } = verdictOf(list, { logic: word })
        expect(summary.matched + summary.not_matched + summary.error + summary.skipped).toBe(list.length)
        const has = (one: IndicatorResult) => list.includes(one)
        const every = (one: IndicatorResult) => list.every((seen) => seen === one)
        if (every('skipped') || has('error')) expect(result).toBe('error')
        else if (!has('matched')) expect(result).toBe('not_exploited')
        else expect(result).toBe(word === 'any' || every('matched') ? 'exploited' : 'partial')
      }),
    )
  })

  test('one more match never makes an attack look better resisted', () => {
    const rank = { not_exploited: 0, partial: 1, exploited: 2, error: 3 }
    fc.assert(
      fc.property(results, logic, fc.nat(), (list, word, at) => {
        const index = at % list.length
        if (list[index] !== 'not_matched') return
        const better = verdictOf(list.with(index, 'matched'), { logic: word }).result
        expect(rank[better]).toBeGreaterThanOrEqual(rank[verdictOf(list, { logic: word }).result])
      }),
    )
  })
})
