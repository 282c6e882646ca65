import { expect, test } from 'vitest'
import { defaultLimits, exceeded, type Limits, withLimits } from '../../src/model/limits.ts'

test('the defaults are fixed', () => {
  expect(defaultLimits).toEqual({
    yamlBytes: 4_194_304,
    yamlDepth: 100,
    yamlAliasNodes: 10_000,
    regexPattern: 4096,
    regexProgram: 2000,
    regexWork: 20_000_000,
    celSource: 8192,
    celNodes: 5000,
    celDepth: 100,
    celSteps: 100_000,
    celMilliseconds: 100,
    jsonPathSource: 4096,
    jsonPathDepth: 64,
    jsonPathSteps: 200_000,
    dotPathDepth: 128,
    compactJsonDepth: 512,
    documentExpressions: 2000,
    valueDepth: 500,
    valueNodes: 1_500_000,
  })
})

test('withLimits replaces only the given limits', () => {
  expect(withLimits(undefined)).toBe(defaultLimits)
  expect(withLimits({})).toEqual(defaultLimits)
  expect(withLimits({ yamlDepth: 5 })).toEqual({ ...defaultLimits, yamlDepth: 5 })
  expect(withLimits({ yamlDepth: 0, celSteps: Number.POSITIVE_INFINITY })).toMatchObject({
    yamlDepth: 0,
    celSteps: Number.POSITIVE_INFINITY,
  })
})

test('withLimits ignores values that would disable a limit', () => {
  // Plain JavaScript may pass these.
  const odd = { yamlDepth: undefined, yamlBytes: Number.NaN, celSteps: '5', regexWork: null }
  expect(withLimits(odd as unknown as Partial<Limits>)).toEqual(defaultLimits)
})

test('exceeded names the limit, its maximum and the actual size', () => {
  const limits = withLimits({ celNodes: 7 })
  expect(exceeded(limits, 'celNodes', 9)).toEqual({
    limit: 'celNodes',
    maximum: 7,
    message: 'over the limit celNodes = 7 (9)',
  })
  expect(exceeded(limits, 'celNodes').message).toBe('over the limit celNodes = 7')
})
