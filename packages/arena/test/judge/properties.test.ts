/** The judge against the plainest implementation of §6 and §9, and over more messages than memory should hold. */
import { createCelEvaluator, evaluateIndicator, type Indicator, type IndicatorResult } from '@joust/oatf'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { TraceEntry } from '../../../results/src/model/trace-entry.ts'
import { entry } from '../../../results/test/support/entries.ts'
import { judge } from '../../src/judge/judge.ts'
import { documentOf } from '../support/documents.ts'

const cel = createCelEvaluator()
const protocols = fc.constantFrom('mcp', 'a2a')
const surfaces = fc.constantFrom('tools/call', 'tools/list', 'message/send')
const actors = fc.constantFrom('default', 'other')
const directions = fc.constantFrom('request', 'response') as fc.Arbitrary<'request' | 'response'>

const indicators: fc.Arbitrary<Indicator> = fc
  .record(
    { protocol: protocols, surface: surfaces, actor: actors, direction: directions },
    { requiredKeys: ['protocol'] },
  )
  .chain((filter) =>
    fc.constantFrom<Indicator>(
      { ...filter, target: 'text', pattern: { contains: 'b' } },
      { ...filter, target: '', expression: { cel: 'message.text == "ab"' } },
      { ...filter, target: 'text', pattern: { regex: '(' } },
      { ...filter, target: 'text', semantic: { intent: 'x' } },
    ),
  )

const entries: fc.Arbitrary<TraceEntry> = fc
  .record({
    protocol: protocols,
    surface: surfaces,
    actor: actors,
    direction: directions,
    flow: fc.constantFrom('in', 'out') as fc.Arbitrary<'in' | 'out'>,
    content: fc.constantFrom<TraceEntry['content']>({ text: 'a' }, { text: 'ab' }, {}),
    seldom: fc.integer({ min: 0, max: 9 }),
  })
  .map(({ seldom, ...rest }) =>
    entry({ ...rest, mode: `${rest.protocol}_server`, ...(seldom === 0 ? { malformed: 'x' } : {}) }),
  )

function plainly(indicator: Indicator, trace: readonly TraceEntry[]): IndicatorResult {
  const mine = trace
    .filter((each) => each.protocol === indicator.protocol)
    .filter((each) => indicator.actor === undefined || each.actor === indicator.actor)
  const chosen = mine
    .filter((each) => indicator.surface === undefined || each.surface === indicator.surface)
    .filter((each) => indicator.direction === undefined || each.direction === indicator.direction)
    .filter((each) => each.malformed === undefined)
  if (indicator.semantic !== undefined) return 'skipped'
  const results = chosen.map((each) => evaluateIndicator(indicator, each.content, { cel }).result)
  if (results.includes('matched')) return 'matched'
  const unread = mine.some((each) => each.flow === 'in' && each.malformed !== undefined)
  if (results.includes('error') || unread) return 'error'
  const contact = indicator.protocol === 'mcp' ? ['tools/call', 'tools/list'] : ['message/send']
  const came = mine.some((each) => each.flow === 'in' && contact.includes(each.surface))
  return came || chosen.some((each) => each.flow === 'in') ? 'not_matched' : 'skipped'
}

test('the same verdicts as a naive implementation', async () => {
  const seen = new Set<IndicatorResult>()
  await fc.assert(
    fc.asyncProperty(
      fc.array(indicators, { minLength: 1, maxLength: 4 }),
      fc.array(entries, { maxLength: 12 }),
      async (list, trace) => {
        const numbered = trace.map((each, index) => ({ ...each, seq: index + 1 }))
        const verdict = await judge(documentOf(list), numbered, { cel })
        const expected = list.map((indicator) => plainly(indicator, numbered))
        for (const result of expected) seen.add(result)
        expect(verdict.indicator_verdicts.map(({ result }) => result)).toEqual(expected)
        const attack =
          expected.every((result) => result === 'skipped') || expected.includes('error')
            ? 'error'
            : expected.includes('matched')
              ? 'exploited'
              : 'not_exploited'
        expect(verdict.result).toBe(attack)
      },
    ),
    { numRuns: 500 },
  )
  // Without all four results the property would prove less than it seems to.
  expect([...seen].sort()).toEqual(['error', 'matched', 'not_matched', 'skipped'])
})

test('200,000 messages with the match in the last one, in constant memory', async () => {
  const count = 200_000
  let peak = 0
  async function* many() {
    for (let seq = 1; seq <= count; seq++) {
      // About 1 KB each: 200 MB in total, if they were kept.
      yield entry({ seq, content: { text: seq === count ? 'secret' : `${seq}${'x'.repeat(1000)}` } })
      if (seq % 20_000 === 0) peak = Math.max(peak, process.memoryUsage().heapUsed)
    }
  }
  const before = process.memoryUsage().heapUsed
  const leak = { protocol: 'mcp', target: 'text', pattern: { contains: 'secret' } }
  const expression = { protocol: 'mcp', target: '', expression: { cel: 'message.text == "secret"' } }
  const verdict = await judge(documentOf([leak, expression], 'all'), many(), { cel, evaluationMs: 600_000 })
  expect(verdict.result).toBe('exploited')
  expect(verdict.indicator_verdicts.map((each) => [each.entry?.seq, each.considered.evaluated])).toEqual([
    [count, count],
    [count, count],
  ])
  expect(peak - before).toBeLessThan(120 * 1024 * 1024)
})
