import { deepEqual, defaultLimits, type Value } from '@joust/source'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createCelEvaluator } from '../../src/adapters/cel.ts'
import { equalValues } from '../../src/adapters/json-path-filter.ts'
import { StepMeter } from '../../src/adapters/step-meter.ts'

const json = fc.jsonValue({ maxDepth: 4 }).map((value) => value as Value)
/** Values that are often equal, or nearly. */
const alike = fc.letrec<{ tree: Value }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<Value>(null, true, 0, -0, 1, 1.5, '', 'a', Number.NaN),
    fc.constantFrom<Value>(2 ** 53, 2n ** 53n, 2n ** 53n + 1n, 2n ** 64n - 1n, 2 ** 60, 1152921504606847000n),
    fc.array(tie('tree'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b', '__proto__', 'constructor'), tie('tree'), { maxKeys: 2 }),
  ),
})).tree

test('JSONPath and CEL compare as the seed defines equality', () => {
  const cel = createCelEvaluator({ now: () => 0 })
  fc.assert(
    fc.property(fc.oneof(json, alike), fc.oneof(json, alike), (a, b) => {
      const expected = deepEqual(a, b)
      expect(equalValues(a, b, new StepMeter(defaultLimits, 'jsonPathSteps'))).toBe(expected)
      expect(cel.evaluate('a == b', { a, b })).toEqual({ ok: true, value: expected })
      expect(cel.evaluate('a != b', { a, b })).toEqual({ ok: true, value: !expected })
      expect(cel.evaluate('a in [b]', { a, b })).toEqual({ ok: true, value: expected })
    }),
    { numRuns: 1000 },
  )
})
