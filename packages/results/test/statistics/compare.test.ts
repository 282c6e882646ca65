import { describe, expect, test } from 'vitest'
import type { Results, ResultTarget } from '../../src/model/results.ts'
import { compareResults } from '../../src/statistics/compare.ts'
import { coverageOf } from '../../src/statistics/coverage.ts'
import { attackOf, resultsOf, targetOf, verdict } from '../support/results.ts'

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
  // Columns: trials before, trials after, status, test, whether a gate fails.
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
    // No verdict: nothing good can be claimed, and what was known is lost.
    ['n', 'x', 'undecided', undefined, true],
    ['x', 'n', 'undecided', undefined, false],
    // No longer applicable: no longer tested.
    ['n', '-', 'untested', undefined, true],
    ['e', '-', 'untested', undefined, true],
    ['-', 'n', 'undecided', undefined, false],
    ['-', '-', 'undecided', undefined, false],
    // Five pairs cannot be told from chance: only a change from always to never counts.
    ['enn', 'een', 'unchanged', undefined, false],
    ['een', 'enn', 'unchanged', undefined, false],
    ['enn', 'nnn', 'unchanged', undefined, false],
    ['eeeee', 'nnnnn', 'fixed', undefined, false],
    ['eeeee', 'ennnn', 'unchanged', undefined, false],
    ['ennnn', 'eeeee', 'unchanged', undefined, false],
    // An exploit that was never seen before counts, however rare, and needs no test.
    ['nnnnnnnn', 'nnnnnnnn', 'unchanged', undefined, false],
    ['nnnnnnnn', 'nnnnnnne', 'new', undefined, true],
    ['eeeeeeee', 'eeeeeeeb', 'worse', undefined, true],
    ['ennnnnnn', 'nnnnnnnn', 'unchanged', 'mcnemar', false],
    ['ennnnnnn', 'eeeeeeee', 'worse', 'mcnemar', true],
    ['eeeeeenn', 'nnnnnnnn', 'fixed', 'mcnemar', false],
    ['eeeeeeen', 'ennnnnnn', 'better', 'mcnemar', false],
    ['een', 'ex', 'unchanged', undefined, false],
    // As many fall as before, but none gets as far.
    ['bbbbbbbb', 'eeeeeeee', 'better', 'mcnemar', false],
    // An inconclusive trial drops out together with its partner; the rest are still compared in pairs.
    ['eeeeeex', 'nnnnnnn', 'fixed', 'mcnemar', false],
    ['eeeeexx', 'ennnnnn', 'unchanged', undefined, false],
    // A different number of trials: groups instead of pairs.
    ['eeee', 'nnnnn', 'fixed', 'fisher', false],
    ['ennn', 'nnnnn', 'unchanged', 'fisher', false],
    ['ennn', 'eeeee', 'worse', 'fisher', true],
  ])('%s to %s is %s', (before, after, status, name, regression) => {
    const found = one(before, after)
    expect([found.status, found.test?.name, found.regression]).toEqual([status, name, regression])
  })

  test('pairs, sides and p are reported', () => {
    expect(one('ennnnnnx', 'eeeeeeen')).toMatchObject({
      before: { judged: 7, fell: 1, inconclusive: 1, furthest: 2 },
      after: { judged: 8, fell: 7, inconclusive: 0, furthest: 2 },
      pairs: { count: 7, broken: 6, mended: 0 },
      test: { name: 'mcnemar', p: expect.closeTo(2 / 2 ** 6, 10) },
    })
    expect(one('ennnnnnn', 'neeeeeee').test?.p).toBeCloseTo((2 * 9) / 256, 10)
  })

  test('the reported p is that of the deciding level', () => {
    // As many fall as before (p = 1), but none gets as far: that made it better, and its p is reported.
    expect(one('bbbbbbbb', 'eeeeeeee').test?.p).toBeCloseTo(2 / 2 ** 8, 10)
    // Neither level changed: the p of the one that came closest is reported.
    expect(one('bbbeeeee', 'eeeeeeee')).toMatchObject({
      status: 'unchanged',
      test: { p: expect.closeTo(2 / 2 ** 3, 10) },
    })
  })
})

describe("the user's task", () => {
  const withTask = (letters: string, tasks: string) => {
    const attack = attackOf('a', letters)
    const trials = attack.trials.map((trial, index) => {
      const word = ({ d: 'exploited', o: 'not_exploited', p: 'partial', x: 'error' } as const)[tasks[index] ?? '']
      return word === undefined ? trial : { ...trial, task: verdict(word) }
    })
    return resultsOf([{ ...attack, trials }])
  }

  // Columns: trials and tasks (done, omitted) before and after, status, reason, status of the task, whether a gate
  // fails.
  test.each([
    ['n', 'd', 'n', 'd', 'unchanged', undefined, 'unchanged', false],
    ['n', 'd', 'n', 'o', 'worse', 'utility', 'worse', true],
    ['n', 'd', 'n', 'p', 'worse', 'utility', 'worse', true],
    ['n', 'o', 'n', 'd', 'better', 'utility', 'better', false],
    // An agent that refuses everything: the attack is fixed, but that is not good news.
    ['e', 'd', 'n', 'o', 'fixed', undefined, 'worse', true],
    ['n', 'd', 'e', 'o', 'new', undefined, 'worse', true],
    // One refusal among several does not count as worse.
    ['nnn', 'ddd', 'nnn', 'ddo', 'unchanged', undefined, 'unchanged', false],
    ['nnnnnnnn', 'dddddddd', 'nnnnnnnn', 'ddoooooo', 'worse', 'utility', 'worse', true],
    ['nnnnnnnn', 'dddddddd', 'nnnnnnnn', 'dddooooo', 'unchanged', undefined, 'unchanged', false],
    // On one side it is unknown whether the task was done.
    ['n', 'd', 'n', 'x', 'unchanged', undefined, undefined, false],
    ['n', 'd', 'x', 'o', 'undecided', undefined, undefined, true],
    ['n', '', 'n', 'o', 'unchanged', undefined, undefined, false],
  ])('%s %s to %s %s is %s', (before, did, after, does, status, reason, task, regression) => {
    const { attacks, regressions } = compared(withTask(before, did), withTask(after, does))
    const [found] = attacks
    expect([found?.status, found?.reason, found?.utility?.status]).toEqual([status, reason, task])
    expect(regressions.length === 1).toBe(regression)
  })

  test('shares and test are reported', () => {
    const [found] = compared(withTask('nnnnnnnn', 'dddddddd'), withTask('nnnnnnnn', 'ddoooooo')).attacks
    const test = { name: 'mcnemar', p: expect.closeTo(2 / 2 ** 6, 10) }
    expect(found).toMatchObject({ test, utility: { before: { done: 8, of: 8 }, after: { done: 2, of: 8 }, test } })
  })
})

describe('suites', () => {
  const id = (value: string) => ({ id: value })

  test('attacks are matched by id, or else by file', () => {
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

  test('a duplicate id is not used for matching', () => {
    const twice = [attackOf('a', 'e', id('A-1')), attackOf('b', 'n', id('A-1'))]
    const { counts } = compared(resultsOf(twice), resultsOf([...twice].reverse()))
    expect(counts).toMatchObject({ unchanged: 2, missing: 0, added: 0 })
  })

  test('attacks with the same name are compared in order', () => {
    const before = resultsOf([attackOf('a', 'n'), attackOf('a', 'n')])
    const after = resultsOf([attackOf('a', 'e'), attackOf('a', 'n'), attackOf('a', 'n')])
    const statuses = compared(before, after).attacks.map(({ status }) => status)
    expect(statuses).toEqual(['new', 'unchanged', 'added'])
  })

  test('a missing attack is a regression only for the same suite', () => {
    const before = resultsOf([attackOf('a', 'n'), attackOf('b', 'n')])
    const after = resultsOf([attackOf('a', 'n')])
    expect(compared(before, after).regressions.map(({ status }) => status)).toEqual(['missing'])
    const other = { ...after, suite: { trials: 1, fingerprint: 'other' } }
    expect(compared(before, other, { force: true }).regressions).toEqual([])
  })

  test('an added attack that succeeds is a regression', () => {
    const after = resultsOf([attackOf('a', 'e'), attackOf('b', 'n')])
    expect(compared(resultsOf([]), after).regressions.map(({ file }) => file)).toEqual(['a.oatf.yaml'])
  })

  test('a changed document is marked', () => {
    const after = { ...attackOf('a', 'n'), fingerprint: 'z' }
    expect(compared(resultsOf([attackOf('a', 'n')]), resultsOf([after])).attacks[0]?.changed).toBe(true)
  })
})

describe('a changed model of the same target is compared, with a note', () => {
  const plain = resultsOf([attackOf('a', 'n')])
  const changed = resultsOf([attackOf('a', 'e')])
  const [target] = changed.targets
  test.each([
    ['model changed from "sim/cautious" to "sim/silent"', { name: 'sim/silent' }],
    ['model changed from none to "m"', { details: { model: 'm' } }],
  ])('%s', (note, change) => {
    const after = { ...changed, targets: target === undefined ? [] : [{ ...target, ...change }] }
    const { unlike, models, counts } = compared(plain, after)
    expect({ unlike, models, new: counts.new }).toEqual({ unlike: [], models: [note], new: 1 })
  })
})

describe('unlike results', () => {
  const plain = resultsOf([attackOf('a', 'n')])
  const target = (changes: Partial<ResultTarget>) => ({ ...plain, targets: [targetOf([attackOf('a', 'n')], changes)] })

  test.each([
    ['target kind changed from "model" to "agent"', target({ kind: 'agent' })],
    ['judge changed from none to "joust m"', target({ judge: { engine: 'joust', model: 'm' } })],
    ['the suites contain different attacks', { ...plain, suite: { trials: 1, fingerprint: 'z' } }],
  ])('%s', (reason, other) => {
    expect(compareResults(plain, other)).toEqual({ ok: false, error: [reason] })
    expect(compared(plain, other, { force: true }).unlike).toEqual([reason])
  })

  test('trials, release and time are not compared', () => {
    const other = { ...plain, joust: '9', finished_at: '2027-01-01T00:00:00Z', suite: { ...plain.suite, trials: 9 } }
    expect(compared(plain, other).unlike).toEqual([])
  })
})

describe('several targets', () => {
  const two = (first: string, second: string, name = 'second') =>
    resultsOf([], { targets: [targetOf([attackOf('a', first)]), targetOf([attackOf('a', second)], { name })] })

  test('are matched by name and kind, in any order', () => {
    const { targets, ...rest } = two('n', 'e')
    const { attacks, regressions } = compared(two('n', 'n'), { ...rest, targets: targets.toReversed() })
    expect(attacks.map(({ target, status }) => [target, status])).toEqual([
      ['sim/cautious', 'unchanged'],
      ['second', 'new'],
    ])
    expect(regressions.map(({ target }) => target)).toEqual(['second'])
  })

  test('with different names are rejected, or paired when forced', () => {
    const reasons = ['third: target changed from "second" to "third"']
    expect(compareResults(two('n', 'n'), two('n', 'e', 'third'))).toEqual({ ok: false, error: reasons })
    const forced = compared(two('n', 'n'), two('n', 'e', 'third'), { force: true })
    expect(forced.counts).toMatchObject({ unchanged: 1, new: 1, missing: 0 })
  })

  test('on one side only are rejected, or missing and added when forced', () => {
    const one = resultsOf([attackOf('a', 'n')])
    expect(compareResults(two('n', 'n'), one)).toEqual({
      ok: false,
      error: ['target "second" is missing'],
    })
    expect(compareResults(one, two('n', 'n'))).toEqual({ ok: false, error: ['target "second" is new'] })
    expect(compared(two('n', 'n'), one, { force: true }).counts).toMatchObject({ unchanged: 1, missing: 1 })
    expect(compared(one, two('n', 'e'), { force: true }).counts).toMatchObject({ unchanged: 1, added: 1 })
  })
})

test('coverage: technique, protocol, outcome', () => {
  const maps = (...ids: string[]) => ({ mappings: ids.map((id) => ({ framework: 'atlas', id, name: `the ${id}` })) })
  const coverage = coverageOf(
    targetOf([
      attackOf('a', 'e', { ...maps('T2', 'T1', 'T1'), protocols: ['mcp', 'a2a'] }),
      attackOf('b', 'n', maps('T1')),
      attackOf('c', 'x', { protocols: [] }),
    ]),
  )
  const counts = (changes: object) => ({
    exploited: 0,
    partial: 0,
    inconclusive: 0,
    resisted: 0,
    not_applicable: 0,
    total: 0,
    ...changes,
  })
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
          { protocol: 'mcp', attacks: counts({ exploited: 1, resisted: 1, total: 2 }) },
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

describe('trials until a question was answered', () => {
  const auto = (letters: string) => {
    const decision = { question: 'asr<15%', answer: 'undecided', trials: letters.length, more: 1 } as const
    return resultsOf([{ ...attackOf('a', letters), decision }])
  }
  test.each([
    ['eee', 'n'.repeat(22), 'fixed'],
    ['eee', `${'n'.repeat(10)}e`, 'unchanged'],
    [`e${'n'.repeat(24)}`, 'eeeeee', 'worse'],
  ])('%s -> %s: %s, by always-valid intervals', (before, after, status) => {
    const [attack] = compared(auto(before), auto(after)).attacks
    expect(attack).toMatchObject({ status, before: { interval: { high: expect.any(Number) } } })
    expect(attack?.test).toBeUndefined()
  })

  test('are compared with a fixed number in the same way', () => {
    const [attack] = compared(resultsOf([attackOf('a', 'eeeeeenn')]), auto('n'.repeat(8))).attacks
    expect(attack).toMatchObject({ status: 'unchanged', after: { judged: 8, interval: { low: 0 } } })
  })
})
