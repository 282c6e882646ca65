import { expect, test } from 'vitest'
import { indicatorId } from '../../src/primitives/indicator-id.ts'

test.each([
  [undefined, undefined, 0, 'indicator-01'],
  [undefined, undefined, 8, 'indicator-09'],
  [undefined, undefined, 9, 'indicator-10'],
  [undefined, undefined, 99, 'indicator-100'],
  ['ACME-007', undefined, 0, 'ACME-007-01'],
  ['ACME-007', undefined, 11, 'ACME-007-12'],
  ['ACME-007', 'ACME-007-55', 0, 'ACME-007-55'],
  [undefined, 'my own', 3, 'my own'],
])('attack %j, own id %j, index %i: %s', (attackId, id, index, expected) => {
  expect(indicatorId(attackId, id === undefined ? { target: '' } : { id, target: '' }, index)).toBe(expected)
})
