import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Positioned, sortByPosition } from '../../src/model/diagnostic.ts'

test('sorts by line, column, path and code; items without a position come last', () => {
  const findings: Positioned[] = [
    { path: 'z' },
    { line: 2, column: 1 },
    { line: 1, column: 5, path: 'b', code: 'V-002' },
    { line: 1, column: 5, path: 'b', code: 'V-001' },
    { line: 1, column: 5, path: 'a', code: 'V-009' },
    { line: 1, column: 2 },
    { line: 1 },
    { path: 'a', code: 'V-002' },
  ]
  expect(sortByPosition(findings)).toEqual([
    { line: 1 },
    { line: 1, column: 2 },
    { line: 1, column: 5, path: 'a', code: 'V-009' },
    { line: 1, column: 5, path: 'b', code: 'V-001' },
    { line: 1, column: 5, path: 'b', code: 'V-002' },
    { line: 2, column: 1 },
    { path: 'a', code: 'V-002' },
    { path: 'z' },
  ])
})

test('does not change its input, and is stable', () => {
  const findings = [
    { line: 1, column: 1, tag: 'first' },
    { line: 1, column: 1, tag: 'second' },
    { line: 0, column: 1, tag: 'third' },
  ]
  const sorted = sortByPosition(findings)
  expect(sorted.map(({ tag }) => tag)).toEqual(['third', 'first', 'second'])
  expect(findings.map(({ tag }) => tag)).toEqual(['first', 'second', 'third'])
})

const inOrder = (paths: string[]) => sortByPosition(paths.map((path) => ({ path }))).map(({ path }) => path)

test('sorts indices by number', () => {
  expect(inOrder(['a[10].b', 'a[9].b', 'a', 'a[9]', 'a[100]', 'b[0]'])).toEqual([
    ...['a', 'a[9]', 'a[9].b', 'a[10].b', 'a[100]', 'b[0]'],
  ])
})

test('orders indices before keys', () => {
  // By number 7 < 10, by text 10 < 5x < 7: mixing the two would be a cycle.
  for (const paths of [
    ['a.10', 'a.5x', 'a.7'],
    ['a.5x', 'a.7', 'a.10'],
    ['a.7', 'a.10', 'a.5x'],
  ]) {
    expect(inOrder(paths)).toEqual(['a.7', 'a.10', 'a.5x'])
  }
})

test('is a total order: the result does not depend on the input order', () => {
  const step = fc.constantFrom(
    'a',
    'b',
    '5x',
    '0x10',
    '1e3',
    '-1',
    '',
    'NaN',
    'Infinity',
    '[7]',
    '[10]',
    '[0]',
    '10',
    '9',
    '007',
    '9'.repeat(400),
  )
  const finding = fc.record(
    {
      line: fc.integer({ min: 1, max: 3 }),
      column: fc.integer({ min: 1, max: 3 }),
      path: fc.array(step, { maxLength: 3 }).map((steps) => steps.join('.')),
      code: fc.constantFrom('V-001', 'V-002'),
    },
    { requiredKeys: [] },
  )
  const shuffled = fc
    .array(finding, { maxLength: 12 })
    .chain((findings) => fc.tuple(fc.constant(findings), fc.shuffledSubarray(findings, { minLength: findings.length })))
  fc.assert(
    fc.property(shuffled, ([one, other]) => {
      const keys = (findings: Positioned[]) =>
        sortByPosition(findings).map(({ line, column, path = '', code }) => [line, column, path.split(/[.[\]]+/), code])
      expect(keys(other)).toEqual(keys(one))
    }),
    { numRuns: 2000 },
  )
})
