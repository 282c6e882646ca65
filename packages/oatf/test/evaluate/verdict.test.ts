import { describe, expect, test } from 'vitest'
import { evaluateIndicator } from '../../src/evaluate/indicator.ts'
import { computeVerdict } from '../../src/evaluate/verdict.ts'
import type { Attack, Indicator } from '../../src/model/document.ts'
import type { AttackResult, CorrelationLogic, IndicatorResult, Tier } from '../../src/model/enumerations.ts'
import type { IndicatorVerdict } from '../../src/model/verdict.ts'

const words: { [letter: string]: IndicatorResult } = { m: 'matched', n: 'not_matched', e: 'error', s: 'skipped' }
const now = () => Date.UTC(2026, 1, 15)

/** An attack with one indicator per letter, and their verdicts; `-` has none. */
function setUp(letters: string, logic?: CorrelationLogic): [Attack, Map<string, IndicatorVerdict>] {
  const indicators = [...letters].map((_, index) => ({ id: `i-${index}`, target: '' }))
  const verdicts = new Map<string, IndicatorVerdict>()
  for (const [index, letter] of [...letters].entries()) {
    const result = words[letter]
    if (result !== undefined) verdicts.set(`i-${index}`, { indicator_id: `i-${index}`, result })
  }
  return [{ execution: {}, indicators, ...(logic === undefined ? {} : { correlation: { logic } }) }, verdicts]
}

// §9.2, precedence from top to bottom: all skipped, an error, the matches.
describe('attack-level results', () => {
  test.each<[letters: string, any: AttackResult, all: AttackResult]>([
    ['m', 'exploited', 'exploited'],
    ['n', 'not_exploited', 'not_exploited'],
    ['e', 'error', 'error'],
    ['s', 'error', 'error'],
    ['-', 'error', 'error'],
    ['mm', 'exploited', 'exploited'],
    ['nn', 'not_exploited', 'not_exploited'],
    ['ss', 'error', 'error'],
    ['--', 'error', 'error'],
    ['s-', 'error', 'error'],
    ['mn', 'exploited', 'partial'],
    ['ms', 'exploited', 'partial'],
    ['m-', 'exploited', 'partial'],
    ['ns', 'not_exploited', 'not_exploited'],
    ['n-', 'not_exploited', 'not_exploited'],
    ['me', 'error', 'error'],
    ['ne', 'error', 'error'],
    ['se', 'error', 'error'],
    ['mns', 'exploited', 'partial'],
    ['mmmn', 'exploited', 'partial'],
    ['mmme', 'error', 'error'],
    ['nnns', 'not_exploited', 'not_exploited'],
    ['mens', 'error', 'error'],
  ])('%s: any %s, all %s', (letters, any, all) => {
    for (const [logic, expected] of [
      ['any', any],
      ['all', all],
      [undefined, any],
    ] as const) {
      expect(computeVerdict(...setUp(letters, logic)).result).toBe(expected)
    }
  })
})

describe('the rest of a verdict', () => {
  test('counts every indicator once, those without a verdict as skipped', () => {
    const verdict = computeVerdict(...setUp('mmnes--', 'any'))
    expect(verdict.evaluation_summary).toEqual({ matched: 2, not_matched: 1, error: 1, skipped: 3 })
    expect(verdict.indicator_verdicts.map(({ indicator_id, result }) => `${indicator_id} ${result}`)).toEqual([
      'i-0 matched',
      'i-1 matched',
      'i-2 not_matched',
      'i-3 error',
      'i-4 skipped',
      'i-5 skipped',
      'i-6 skipped',
    ])
    expect(verdict.indicator_verdicts.at(-1)?.evidence).toBe('the indicator was not evaluated')
  })

  test('verdicts of strangers do not count', () => {
    const [attack, verdicts] = setUp('n')
    verdicts.set('stranger', { indicator_id: 'stranger', result: 'matched' })
    expect(computeVerdict(attack, verdicts)).toMatchObject({
      result: 'not_exploited',
      evaluation_summary: { matched: 0 },
    })
  })

  test('carries id and time; the id only when there is one', () => {
    const [attack, verdicts] = setUp('m')
    expect(computeVerdict({ ...attack, id: 'ACME-001' }, verdicts, now)).toMatchObject({
      attack_id: 'ACME-001',
      timestamp: '2026-02-15T00:00:00.000Z',
    })
    expect(computeVerdict(attack, verdicts)).not.toHaveProperty('attack_id')
    expect(computeVerdict(attack, verdicts).timestamp).toMatch(/^\d{4}-.*Z$/)
  })

  test('passes the individual verdicts on as they are', () => {
    const [attack, verdicts] = setUp('m')
    const own: IndicatorVerdict = {
      indicator_id: 'i-0',
      result: 'matched',
      evidence: 'proof',
      source: 'me',
      timestamp: 'then',
    }
    verdicts.set('i-0', own)
    expect(computeVerdict(attack, verdicts).indicator_verdicts).toEqual([own])
  })

  test('knows indicators without an id by the one that normalization gives', () => {
    const attack: Attack = { id: 'ACME-001', execution: {}, indicators: [{ target: '' }] }
    const verdicts = new Map([['ACME-001-01', { indicator_id: 'ACME-001-01', result: 'matched' } as const]])
    expect(computeVerdict(attack, verdicts).result).toBe('exploited')
  })
})

describe('no indicators', () => {
  test.each<[title: string, attack: Attack]>([
    ['none', { execution: {} }],
    ['an empty list', { execution: {}, indicators: [] }],
    ['none, though verdicts were given', { execution: {}, correlation: { logic: 'any' } }],
    ['no attack at all', null as unknown as Attack],
    ['something else', { execution: {}, indicators: 'all' } as unknown as Attack],
  ])('%s: an error that says so', (_, attack) => {
    const verdict = computeVerdict(attack, new Map([['i', { indicator_id: 'i', result: 'matched' } as const]]), now)
    expect(verdict).toEqual({
      result: 'error',
      indicator_verdicts: [],
      evaluation_summary: { matched: 0, not_matched: 0, error: 0, skipped: 0 },
      timestamp: '2026-02-15T00:00:00.000Z',
      diagnostics: [expect.objectContaining({ severity: 'error', path: 'attack.indicators', spec_ref: '§11.4.2' })],
    })
  })

  test('with indicators there is nothing to diagnose', () => {
    expect(computeVerdict(...setUp('n'))).not.toHaveProperty('diagnostics')
  })
})

test('a value that is not an indicator is skipped and counted', () => {
  const attack = { execution: {}, indicators: [null, 'x', { id: 5 }] } as unknown as Attack
  expect(computeVerdict(attack, new Map())).toMatchObject({
    result: 'error',
    indicator_verdicts: [
      { indicator_id: 'indicator-01' },
      { indicator_id: 'indicator-02' },
      { indicator_id: 'indicator-03' },
    ],
    evaluation_summary: { skipped: 3 },
  })
})

describe('max_tier: the highest among the matched', () => {
  test.each<[indicators: [IndicatorResult, Tier?][], expected: Tier | undefined]>([
    [[['matched', 'ingested']], 'ingested'],
    [
      [
        ['matched', 'ingested'],
        ['matched', 'boundary_breach'],
        ['matched', 'local_action'],
      ],
      'boundary_breach',
    ],
    [
      [
        ['matched', 'local_action'],
        ['not_matched', 'boundary_breach'],
      ],
      'local_action',
    ],
    [[['matched'], ['matched', 'ingested']], 'ingested'],
    [[['matched']], undefined],
    [
      [
        ['not_matched', 'boundary_breach'],
        ['skipped', 'ingested'],
      ],
      undefined,
    ],
    [
      [
        ['error', 'boundary_breach'],
        ['matched', 'ingested'],
      ],
      'ingested',
    ],
  ])('%j: %s', (rows, expected) => {
    const indicators = rows.map(([, tier], index): Indicator => ({ id: `${index}`, target: '', ...(tier && { tier }) }))
    const verdicts = new Map(rows.map(([result], index) => [`${index}`, { indicator_id: `${index}`, result }]))
    const verdict = computeVerdict({ execution: {}, indicators }, verdicts)
    expect(verdict.max_tier).toBe(expected)
    expect(Object.hasOwn(verdict, 'max_tier')).toBe(expected !== undefined)
  })
})

test('two indicators with one id are an error: the verdict of one could hide that of the other', () => {
  const attack = {
    execution: {},
    indicators: [
      { id: 'i', target: 'a' },
      { id: 'i', target: 'b' },
    ],
  }
  const verdict = computeVerdict(attack, new Map([['i', { indicator_id: 'i', result: 'not_matched' }]]), now)
  expect(verdict.result).toBe('error')
  expect(verdict.diagnostics?.[0]?.code).toBe('shared-id')
})

test('by position, two indicators with one id are counted both', () => {
  const attack = {
    execution: {},
    indicators: [
      { id: 'indicator-02', target: 'a' },
      { id: 'indicator-02', target: 'b', tier: 'local_action' as const },
    ],
  }
  const found = (result: 'matched' | 'not_matched') => ({ indicator_id: 'indicator-02', result })
  const verdict = computeVerdict(attack, [found('not_matched'), found('matched')], now)
  expect(verdict).toMatchObject({
    result: 'exploited',
    max_tier: 'local_action',
    evaluation_summary: { matched: 1, not_matched: 1, error: 0, skipped: 0 },
  })
  expect(computeVerdict(attack, [found('not_matched')], now).evaluation_summary.skipped).toBe(1)
})

test('a result that is none of the four counts as an error', () => {
  const [attack, verdicts] = setUp('nn')
  verdicts.set('i-1', { indicator_id: 'i-1', result: 'Matched' as never })
  const { result, evaluation_summary } = computeVerdict(attack, verdicts, now)
  expect(result).toBe('error')
  expect(evaluation_summary).toEqual({ matched: 0, not_matched: 1, error: 1, skipped: 0 })
})

test.each([[{}], [null], [undefined], [[]]])(
  'verdicts in something that is not a map (%j) are an error, not a crash',
  (verdicts) => {
    const [attack] = setUp('m')
    expect(computeVerdict(attack, verdicts as never, now).result).toBe('error')
  },
)

test('a map of another realm will do', () => {
  const [attack, verdicts] = setUp('m')
  const foreign = { get: (id: string) => verdicts.get(id) } as unknown as typeof verdicts
  expect(computeVerdict(attack, foreign, now).result).toBe('exploited')
})

test('verdicts without ids are an error that asks for the normal form', () => {
  const written: Attack = { execution: {}, indicators: [{ target: 'a' }, { target: 'b' }] }
  const verdicts = (written.indicators ?? []).map((indicator) => evaluateIndicator(indicator, {}))
  const verdict = computeVerdict(written, new Map(verdicts.map((one) => [one.indicator_id, one])))
  expect(verdict).toMatchObject({
    result: 'error',
    diagnostics: [{ code: 'no-indicator-id', message: expect.stringContaining('load or normalize') }],
  })
})

test('verdicts under the absent ids of parsed indicators are an error that asks for the normal form', () => {
  const written: Attack = { execution: {}, indicators: [{ target: 'a' }] }
  const verdicts = new Map([[undefined, { indicator_id: '', result: 'not_matched' }]]) as unknown as Map<
    string,
    IndicatorVerdict
  >
  expect(computeVerdict(written, verdicts)).toMatchObject({
    result: 'error',
    diagnostics: [{ code: 'no-indicator-id' }],
  })
})

test.each([[null], [5], ['matched']])('an entry that is not a verdict is an error: %j', (entry) => {
  const [attack, verdicts] = setUp('m')
  verdicts.set('i-0', entry as never)
  expect(computeVerdict(attack, verdicts, now)).toMatchObject({
    result: 'error',
    indicator_verdicts: [
      { indicator_id: 'i-0', result: 'error', evidence: expect.stringContaining('not an indicator') },
    ],
  })
})

test('a document in place of its attack is named', () => {
  const [attack, verdicts] = setUp('m')
  for (const wrong of [
    { oatf: '0.1', attack },
    { document: { attack }, text: '' },
  ])
    expect(computeVerdict(wrong as never, verdicts)).toMatchObject({
      result: 'error',
      diagnostics: [{ code: 'not-an-attack' }],
    })
})
