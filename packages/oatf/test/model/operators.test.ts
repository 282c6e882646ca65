import { expect, test } from 'vitest'
import { isMatchCondition, operatorNames } from '../../src/model/operators.ts'

test('the operators of §5.4', () => {
  expect(operatorNames).toEqual([
    'contains',
    'starts_with',
    'ends_with',
    'regex',
    'any_of',
    'gt',
    'lt',
    'gte',
    'lte',
    'exists',
  ])
})

test.each(operatorNames.map((name) => [name]))('{ %s: … } is a condition of operators', (name) => {
  expect(isMatchCondition({ [name]: null })).toBe(true)
  expect(isMatchCondition({ other: 1, [name]: null })).toBe(true)
})

test.each([[null], ['contains'], [5], [['contains']], [{}], [{ Contains: 'x' }], [{ not: 'x' }]])(
  '%j is a value',
  (value) => {
    expect(isMatchCondition(value)).toBe(false)
  },
)

test('an inherited operator is none', () => {
  expect(isMatchCondition(Object.create({ contains: 'x' }))).toBe(false)
})
