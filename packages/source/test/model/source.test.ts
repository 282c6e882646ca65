import { expect, test } from 'vitest'
import { withLimits } from '../../src/model/limits.ts'
import { overLimit, unreadable } from '../../src/model/source.ts'

test('an error is a plain object that survives JSON', () => {
  const results = [
    unreadable('empty', 'nothing there'),
    unreadable('syntax', 'odd', { line: 2, column: 3 }),
    overLimit(withLimits({ yamlDepth: 5 }), 'yamlDepth', 6, { line: 1, column: 1 }),
  ]
  expect(results).toEqual([
    { ok: false, error: [{ severity: 'error', code: 'empty', message: 'nothing there' }] },
    { ok: false, error: [{ severity: 'error', code: 'syntax', message: 'odd', line: 2, column: 3 }] },
    {
      ok: false,
      error: [
        {
          severity: 'error',
          code: 'limit',
          limit: 'yamlDepth',
          message: 'over the limit yamlDepth = 5 (6)',
          line: 1,
          column: 1,
        },
      ],
    },
  ])
  expect(JSON.parse(JSON.stringify(results))).toEqual(results)
})
