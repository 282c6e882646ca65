import type { Value } from '@joust/source'
import { describe, expect, test } from 'vitest'
import { primitiveChecks } from '../src/primitives.ts'

/** For each primitive: an input, what it returns, and what it does not return. */
const cases: readonly (readonly [file: string, input: Value, right: Value, wrong: Value])[] = [
  ['resolve-simple-path', { path: 'a', value: { a: 1 } }, 1, 2],
  ['resolve-simple-path', { path: 'b', value: { a: 1 } }, null, 1],
  ['resolve-simple-path', { path: 'a', value: { a: null } }, { found: true, value: null }, null],
  ['resolve-wildcard-path', { path: 'a[*]', value: { a: [1, 2] } }, { values: [1, 2] }, { values: [2, 1] }],
  ['parse-duration', 'PT1M', { seconds: 60 }, { seconds: 1 }],
  ['parse-duration', 'soon', { error: true }, { seconds: 0 }],
  ['evaluate-condition', { condition: { gt: 1 }, value: 2 }, true, false],
  ['evaluate-predicate', { predicate: { a: 1 }, value: { a: 1 } }, true, false],
  ['interpolate-template', { template: '{{a}}', extractors: { a: 'x' }, request: null }, 'x', ''],
  ['interpolate-value', { value: ['{{request.a}}'], extractors: {}, request: { a: 'x' } }, ['x'], ['']],
  ['select-response', { entries: [{ when: { a: 1 }, content: 2 }], request: { a: 1 } }, { content: 2 }, null],
  ['select-response', { entries: [], request: {} }, null, { content: 2 }],
  ['extract-protocol', { mode: 'a2a_server' }, 'a2a', 'a2a_server'],
  ['compute-effective-state', { phases: [{ state: { a: 1 } }, {}], phase_index: 1 }, { a: 1 }, null],
  [
    'evaluate-extractor',
    {
      extractor: { name: 'n', source: 'request', type: 'json_path', selector: '$.a' },
      message: { a: 'x' },
      direction: 'request',
    },
    'x',
    null,
  ],
  [
    'evaluate-trigger',
    {
      trigger: { event: 'e', count: 2 },
      event: { event_type: 'e', content: {} },
      elapsed: '0s',
      state: { event_count: 0 },
    },
    { result: 'not_advanced', state: { event_count: 1 } },
    { result: 'not_advanced', state: { event_count: 0 } },
  ],
]

describe('primitives', () => {
  test.each(cases)('%s %#', (file, input, right, wrong) => {
    const check = primitiveChecks[`${file}.yaml`]
    expect(check?.({ id: '', name: '', input, expected: right })).toBeUndefined()
    expect(check?.({ id: '', name: '', input, expected: wrong })).toHaveProperty('expected')
  })

  test('all of them refuse an input of an unknown shape', () => {
    expect(Object.keys(primitiveChecks)).toHaveLength(12)
    for (const check of Object.values(primitiveChecks))
      expect(check({ id: '', name: '', input: { other: 1 }, expected: null })?.expected).toBe('a known shape of input')
  })
})
