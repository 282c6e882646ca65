import { defaultLimits, err, ok, type Value, withLimits } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { DEFAULT_THRESHOLD, semanticOutcome, semanticProbes } from '../../src/evaluate/semantic.ts'
import type { SemanticMatch } from '../../src/model/document.ts'
import { deepList } from '../deep-value.ts'

const message: Value = { parts: [{ text: 'hello' }, { text: { b: 1, a: 2 } }, { other: 1 }, { text: null }] }
const intent: SemanticMatch = { target: 'parts[*].text', intent: 'greet' }

describe('semanticProbes', () => {
  test('one question per value at the target, each as text', () => {
    const probes = semanticProbes(intent, undefined, message, defaultLimits)
    expect(probes.ok && probes.value.map((probe) => probe.question[0])).toEqual(['hello', '{"a":2,"b":1}', 'null'])
    expect(probes.ok && probes.value.map((probe) => probe.path)).toEqual([
      ['parts', 0, 'text'],
      ['parts', 1, 'text'],
      ['parts', 3, 'text'],
    ])
  })

  test('every parameter of the indicator is handed over, absent ones as undefined', () => {
    const full: SemanticMatch = {
      intent: 'greet',
      intent_class: 'prompt_injection',
      threshold: 0.4,
      examples: { positive: ['hi'], negative: ['bye'] },
    }
    const questions = (semantic: SemanticMatch) => {
      const probes = semanticProbes(semantic, '', 'text', defaultLimits)
      return probes.ok ? probes.value.map((probe) => probe.question) : []
    }
    expect(questions(full)).toEqual([['text', 'greet', 'prompt_injection', 0.4, full.examples]])
    expect(questions({ intent: 'greet', examples: null })).toEqual([['text', 'greet', undefined, undefined, undefined]])
  })

  test('its own target takes precedence over that of the indicator', () => {
    const probes = semanticProbes({ ...intent, target: 'a' }, 'b', { a: 'mine', b: 'theirs' }, defaultLimits)
    expect(probes.ok && probes.value.map((probe) => probe.question[0])).toEqual(['mine'])
  })

  test('nothing at the target means no question', () => {
    expect(semanticProbes({ ...intent, target: 'missing' }, undefined, message, defaultLimits)).toEqual(ok([]))
  })

  test('a target that is not a path is an error', () => {
    for (const target of ['a[0]', 5, null, undefined]) {
      const probes = semanticProbes({ intent: 'x', target: target as string }, undefined, message, defaultLimits)
      expect(probes).toMatchObject({ ok: false, error: { kind: 'path_resolution' } })
    }
  })

  test('a target of too many names is an error with the name of the limit', () => {
    const target = Array(129).fill('a').join('.')
    const probes = semanticProbes({ ...intent, target }, undefined, message, defaultLimits)
    expect(probes).toMatchObject({ ok: false, error: { kind: 'path_resolution', limit: 'dotPathDepth' } })
  })

  test('a value too deep to write is an error with the name of the limit', () => {
    const probes = semanticProbes({ ...intent, target: '' }, undefined, deepList(100_000), defaultLimits)
    expect(probes).toMatchObject({ ok: false, error: { kind: 'semantic_error', limit: 'compactJsonDepth' } })
    expect(semanticProbes({ ...intent, target: '' }, undefined, [[1]], withLimits({ compactJsonDepth: 1 })).ok).toBe(
      false,
    )
  })
})

describe('semanticOutcome', () => {
  const probes = semanticProbes(intent, undefined, message, defaultLimits)
  const outcome = (scores: number[], threshold?: number) => {
    if (!probes.ok) throw new Error('the target resolves')
    const semantic = threshold === undefined ? intent : { ...intent, threshold }
    return semanticOutcome(semantic, probes.value.slice(0, scores.length), scores.map(ok), defaultLimits)
  }

  test('the default threshold is 0.7', () => {
    expect(DEFAULT_THRESHOLD).toBe(0.7)
    expect(outcome([0.69])).toMatchObject({ value: { score: 0.69, threshold: 0.7, match: undefined } })
    expect(outcome([0.7])).toMatchObject({ value: { score: 0.7, match: { path: 'parts[0].text', value: 'hello' } } })
  })

  test.each([
    [[0.5], 0.5, true],
    [[0.49], 0.5, false],
    [[0], 0, true],
    [[1], 1, true],
    [[0.999], 1, false],
  ])('scores %j against %d: %s', (scores, threshold, matched) => {
    expect(outcome(scores, threshold)).toMatchObject({ ok: true, value: { match: matched ? {} : undefined } })
  })

  test('the highest score decides', () => {
    expect(outcome([0.1, 0.9, 0.8])).toMatchObject({ value: { score: 0.9, match: { path: 'parts[1].text' } } })
  })

  test.each([
    [Number.NaN],
    [-0.1],
    [1.1],
    [Number.POSITIVE_INFINITY],
    ['0.9' as unknown as number],
    [null as unknown as number],
  ])('a score of %s is an error, not a low score', (score) => {
    expect(outcome([0.9, score])).toMatchObject({ ok: false, error: { kind: 'semantic_error' } })
  })

  test('one failed question fails the indicator', () => {
    if (!probes.ok) throw new Error('the target resolves')
    const error = { kind: 'semantic_error', message: 'model unavailable' } as const
    expect(semanticOutcome(intent, probes.value, [ok(0.9), err(error), ok(0.9)], defaultLimits)).toEqual({
      ok: false,
      error,
    })
    expect(semanticOutcome(intent, probes.value, [ok(0.9)], defaultLimits)).toMatchObject({ ok: false })
  })

  test('without a question there is no score', () => {
    expect(semanticOutcome(intent, [], [], defaultLimits)).toEqual(
      ok({ score: undefined, threshold: 0.7, match: undefined }),
    )
  })
})
