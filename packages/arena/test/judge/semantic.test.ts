import type { AsyncSemanticEvaluator, Indicator } from '@joust/oatf'
import { err, ok } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { entry } from '../../../results/test/support/entries.ts'
import { createJudge, judge } from '../../src/judge/judge.ts'
import { documentOf } from '../support/documents.ts'
import { createFakeClock } from '../support/fake-clock.ts'

const examples = { positive: ['bad 1', 'bad 2'], negative: ['good 1'] }
const indicator = (changes: Partial<Indicator['semantic']> = {}): Partial<Indicator> => ({
  protocol: 'mcp',
  target: 'items[*]',
  semantic: { intent: 'harm', ...changes },
})
const message = (...items: string[]) => entry({ content: { items } })

/** Scores by what a text begins with, and keeps the texts it was asked about. */
function scripted(scores: Record<string, number>) {
  const asked: string[] = []
  const state = { inFlight: 0, most: 0 }
  const evaluator: AsyncSemanticEvaluator = {
    async evaluate(text) {
      asked.push(text)
      state.most = Math.max(state.most, ++state.inFlight)
      await new Promise((resolve) => setImmediate(resolve))
      state.inFlight -= 1
      return ok(scores[text.split(' ')[0] ?? ''] ?? 0)
    },
  }
  return { evaluator, asked, state }
}

test('without an evaluator: skipped, so an error', async () => {
  expect(await judge(documentOf([indicator()]), [message('bad')])).toMatchObject({
    result: 'error',
    indicator_verdicts: [{ result: 'skipped', evidence: 'no semantic evaluator is configured' }],
  })
})

test('examples are classified before the first message, then once and for all', async () => {
  const { evaluator, asked } = scripted({ bad: 0.9, worse: 0.95 })
  const document = documentOf([indicator({ examples })])
  const verdict = await judge(document, [message('fine'), message('worse'), message('unasked')], {
    semantic: evaluator,
  })
  expect(verdict).toMatchObject({
    result: 'exploited',
    indicator_verdicts: [{ evidence: 'score 0.95 against threshold 0.7', match: { path: 'items[0]' } }],
  })
  expect(asked).toEqual(['bad 1', 'bad 2', 'good 1', 'fine', 'worse'])
})

test('the evaluator is not called when no message passes the filter', async () => {
  const { evaluator, asked } = scripted({})
  const document = documentOf([{ ...indicator({ examples }), surface: 'x' }])
  expect((await judge(document, [message('bad')], { semantic: evaluator })).result).toBe('not_exploited')
  expect(asked).toEqual([])
})

describe('misclassified examples: error, and no message is evaluated', () => {
  test.each([
    [
      'a positive one below the threshold',
      { bad: 0.6 },
      {},
      'positive example 1 ("bad 1") has the score 0.6 against threshold 0.7',
    ],
    [
      'by the threshold of the document',
      { bad: 0.8 },
      { threshold: 0.85 },
      'positive example 1 ("bad 1") has the score 0.8 against threshold 0.85',
    ],
    [
      'a negative one at the threshold',
      { bad: 0.9, good: 0.7 },
      {},
      'negative example 1 ("good 1") has the score 0.7 against threshold 0.7',
    ],
    ['no score', { bad: 7 }, {}, 'positive example 1 ("bad 1") has the score 7, expected 0 to 1'],
  ])('%s', async (_, scores, changes, reason) => {
    const { evaluator, asked } = scripted({ ...scores, leak: 1 })
    const document = documentOf([indicator({ examples, ...changes })])
    const verdict = await judge(document, [message('leak'), message('leak')], { semantic: evaluator })
    expect(verdict).toMatchObject({
      result: 'error',
      indicator_verdicts: [{ result: 'error', evidence: `semantic-examples: ${reason}` }],
      diagnostics: [{ code: 'semantic-examples', message: `T-1-01: ${reason}` }],
    })
    expect(asked).not.toContain('leak')
  })

  test('the threshold of the document counts for examples as well', async () => {
    const { evaluator } = scripted({ bad: 0.5 })
    const document = documentOf([indicator({ examples, threshold: 0.4 })])
    expect((await judge(document, [message('fine')], { semantic: evaluator })).result).toBe('not_exploited')
  })

  test.each<[string, AsyncSemanticEvaluator['evaluate']]>([
    [
      'throws',
      () => {
        throw new Error('no model')
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('no model')
      },
    ],
    ['fails', () => err({ kind: 'semantic_error', message: 'no model' })],
    ['answers nothing', () => undefined as never],
    ['fails without a reason', () => ({ ok: false }) as never],
  ])('an evaluator that %s', async (_, evaluate) => {
    for (const settings of [{ examples }, {}]) {
      const verdict = await judge(documentOf([indicator(settings)]), [message('x')], { semantic: { evaluate } })
      expect(verdict.result).toBe('error')
      expect(verdict.indicator_verdicts[0]?.evidence).toMatch(/no model|did not return a result/)
    }
  })
})

test('evaluations are sequential, and the same text is evaluated once', async () => {
  const { evaluator, asked, state } = scripted({})
  const judging = createJudge(documentOf([indicator()]), { semantic: evaluator })
  for (let turn = 0; turn < 20; turn++) judging.add(message('a', 'b', `c ${turn % 2}`))
  expect((await judging.finish()).result).toBe('not_exploited')
  expect(state.most).toBe(1)
  expect(asked).toEqual(['a', 'b', 'c 0', 'c 1'])
})

test('an error about one message does not stop the evaluation of others', async () => {
  const semantic: AsyncSemanticEvaluator = {
    evaluate: (text) =>
      text === 'odd' ? err({ kind: 'semantic_error', message: 'cannot' }) : ok(text === 'bad' ? 1 : 0),
  }
  const document = documentOf([indicator()])
  expect((await judge(document, [message('odd'), message('fine')], { semantic })).result).toBe('error')
  expect((await judge(document, [message('odd'), message('bad')], { semantic })).result).toBe('exploited')
})

describe('an evaluator that never answers', () => {
  const semantic: AsyncSemanticEvaluator = { evaluate: () => new Promise(() => {}) }

  test('is abandoned after its time limit', async () => {
    const clock = createFakeClock()
    const verdict = judge(documentOf([indicator()]), [message('a'), message('b')], {
      semantic,
      clock,
      semanticMs: 5000,
    })
    await clock.advance(4999)
    expect(clock.pending()).toBe(1)
    await clock.advance(1)
    expect(await verdict).toMatchObject({
      result: 'error',
      indicator_verdicts: [{ evidence: expect.stringContaining('5000 ms') }],
    })
    expect(clock.pending()).toBe(0)
  })

  test('is abandoned when the run is stopped', async () => {
    const stop = new AbortController()
    const verdict = judge(documentOf([indicator()]), [message('a')], {
      semantic,
      clock: createFakeClock(),
      signal: stop.signal,
    })
    stop.abort()
    expect(await verdict).toMatchObject({
      result: 'error',
      indicator_verdicts: [{ evidence: expect.stringContaining('interrupted') }],
    })
  })
})
