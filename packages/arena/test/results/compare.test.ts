import { describe, expect, test } from 'vitest'
import { compareResults } from '../../src/results/compare.ts'
import { coverageOf } from '../../src/results/coverage.ts'
import type { Results } from '../../src/results/model.ts'
import { attackOf, resultsOf } from '../support/results.ts'

function compared(before: Results, after: Results, options = {}) {
  const comparison = compareResults(before, after, options)
  if (!comparison.ok) throw new Error(comparison.error.join('\n'))
  return comparison.value
}

const one = (before: string, after: string) => {
  const { attacks, regressions } = compared(resultsOf([attackOf('a', before)]), resultsOf([attackOf('a', after)]))
  const [attack] = attacks
  return { ...attack, regression: regressions.length === 1 }
}

describe('one attack', () => {
  // Trials before, trials after, status, test, whether a gate fails.
  test.each([
    ['n', 'n', 'unchanged', undefined, false],
    ['e', 'e', 'unchanged', undefined, false],
    ['n', 'e', 'new', undefined, true],
    ['n', 'p', 'new', undefined, true],
    ['e', 'n', 'fixed', undefined, false],
    ['p', 'e', 'worse', undefined, true],
    ['e', 'p', 'better', undefined, false],
    ['e', 'b', 'worse', undefined, true],
    ['b', 'a', 'better', undefined, false],
    // No verdict: nothing good may be said, and what was known is lost.
    ['n', 'x', 'undecided', undefined, true],
    ['x', 'n', 'undecided', undefined, false],
    // Three of each cannot tell anything from chance, so the rates decide.
    ['enn', 'een', 'worse', undefined, true],
    ['een', 'enn', 'better', undefined, false],
    // Four of each can, by Fisher's test: 4 to 0 is more than chance, 1 to 0 is not.
    ['eeee', 'nnnn', 'fixed', 'fisher', false],
    ['ennn', 'nnnn', 'unchanged', 'fisher', false],
    ['ennn', 'eeee', 'unchanged', 'fisher', false],
    // An exploit that was never seen before is one, however rare.
    ['nnnnnnnn', 'nnnnnnne', 'new', 'mcnemar', true],
    ['ennnnnnn', 'eeeeeeee', 'worse', 'mcnemar', true],
    ['eeeeeenn', 'nnnnnnnn', 'fixed', 'mcnemar', false],
    ['eeeeeeen', 'ennnnnnn', 'better', 'mcnemar', false],
    ['een', 'ex', 'worse', undefined, true],
    // As many fall as before, but none as far.
    ['bbbbbbbb', 'eeeeeeee', 'better', 'mcnemar', false],
    // A trial without its partner: groups instead of pairs.
    ['eeeeeex', 'nnnnnnn', 'fixed', 'fisher', false],
  ])('%s to %s is %s', (before, after, status, name, regression) => {
    const found = one(before, after)
    expect([found.status, found.test?.name, found.regression]).toEqual([status, name, regression])
  })

  test('pairs, sides and p are told', () => {
    expect(one('ennnnnnx', 'eeeeeeen')).toMatchObject({
      before: { judged: 7, fell: 1, errors: 1, furthest: 2 },
      after: { judged: 8, fell: 7, errors: 0, furthest: 2 },
      pairs: { count: 7, broken: 6, mended: 0 },
      test: { name: 'fisher' },
    })
    expect(one('ennnnnnn', 'neeeeeee').test?.p).toBeCloseTo((2 * 9) / 256, 10)
  })
})

describe('suites', () => {
  const id = (value: string) => ({ id: value })

  test('attacks are found by id, else by file', () => {
    const before = resultsOf([attackOf('old', 'e', id('A-1')), attackOf('b', 'e'), attackOf('c', 'n', id('A-2'))])
    const after = resultsOf([attackOf('b', 'e'), attackOf('moved', 'n', id('A-1')), attackOf('c', 'n', id('A-3'))])
    const statuses = compared(before, after).attacks.map(({ file, status }) => `${file} ${status}`)
    expect(statuses).toEqual([
      'moved.oatf.yaml fixed',
      'b.oatf.yaml unchanged',
      'c.oatf.yaml missing',
      'c.oatf.yaml added',
    ])
  })

  test('an id that two attacks share says nothing', () => {
    const twice = [attackOf('a', 'e', id('A-1')), attackOf('b', 'n', id('A-1'))]
    const { counts } = compared(resultsOf(twice), resultsOf([...twice].reverse()))
    expect(counts).toMatchObject({ unchanged: 2, missing: 0, added: 0 })
  })

  test('what the same suite no longer ran is a regression; an attack that is gone from it is not', () => {
    const before = resultsOf([attackOf('a', 'n'), attackOf('b', 'n')])
    const after = resultsOf([attackOf('a', 'n')])
    expect(compared(before, after).regressions.map(({ status }) => status)).toEqual(['missing'])
    const other = { ...after, suite: { trials: 1, fingerprint: 'other' } }
    expect(compared(before, other, { force: true }).regressions).toEqual([])
  })

  test('an attack that is added and goes through is a regression', () => {
    const after = resultsOf([attackOf('a', 'e'), attackOf('b', 'n')])
    expect(compared(resultsOf([]), after).regressions.map(({ file }) => file)).toEqual(['a.oatf.yaml'])
  })

  test('a document that is not what it was is marked', () => {
    const after = { ...attackOf('a', 'n'), fingerprint: 'z' }
    expect(compared(resultsOf([attackOf('a', 'n')]), resultsOf([after])).attacks[0]?.changed).toBe(true)
  })
})

describe('unlike results', () => {
  const plain = resultsOf([attackOf('a', 'n')])
  const target = (changes: Partial<Results['target']>) => ({ ...plain, target: { ...plain.target, ...changes } })

  test.each([
    ['the kind of target was "model" and is "agent"', target({ kind: 'agent' })],
    ['the target was "sim/cautious" and is "sim/silent"', target({ name: 'sim/silent' })],
    ['the target\'s model was not there and is "m"', target({ details: { model: 'm' } })],
    ['the judge was not there and is "joust m"', target({ judge: { engine: 'joust', model: 'm' } })],
    ['the suites do not hold the same attacks', { ...plain, suite: { trials: 1, fingerprint: 'z' } }],
  ])('%s', (reason, other) => {
    expect(compareResults(plain, other)).toEqual({ ok: false, error: [reason] })
    expect(compared(plain, other, { force: true }).unlike).toEqual([reason])
  })

  test('another number of trials, release or time is no difference', () => {
    const other = { ...plain, joust: '9', finished_at: '2027-01-01T00:00:00Z', suite: { ...plain.suite, trials: 9 } }
    expect(compared(plain, other).unlike).toEqual([])
  })
})

test('coverage: technique, protocol, outcome', () => {
  const maps = (...ids: string[]) => ({ mappings: ids.map((id) => ({ framework: 'atlas', id, name: `the ${id}` })) })
  const coverage = coverageOf(
    resultsOf([
      attackOf('a', 'e', { ...maps('T2', 'T1', 'T1'), protocols: ['mcp', 'a2a'] }),
      attackOf('b', 'n', maps('T1')),
      attackOf('c', 'x', { protocols: [] }),
    ]),
  )
  const counts = (changes: object) => ({ exploited: 0, partial: 0, error: 0, not_exploited: 0, total: 0, ...changes })
  expect(coverage).toEqual({
    protocols: ['a2a', 'mcp', 'none'],
    unmapped: ['c.oatf.yaml'],
    techniques: [
      {
        framework: 'atlas',
        id: 'T1',
        name: 'the T1',
        files: ['a.oatf.yaml', 'b.oatf.yaml'],
        protocols: [
          { protocol: 'a2a', attacks: counts({ exploited: 1, total: 1 }) },
          { protocol: 'mcp', attacks: counts({ exploited: 1, not_exploited: 1, total: 2 }) },
        ],
      },
      {
        framework: 'atlas',
        id: 'T2',
        name: 'the T2',
        files: ['a.oatf.yaml'],
        protocols: [
          { protocol: 'a2a', attacks: counts({ exploited: 1, total: 1 }) },
          { protocol: 'mcp', attacks: counts({ exploited: 1, total: 1 }) },
        ],
      },
    ],
  })
})
