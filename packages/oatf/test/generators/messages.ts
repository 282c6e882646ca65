import type { Value } from '@joust/source'
import fc from 'fast-check'
import { prose } from './text.ts'

const key = fc.constantFrom(
  'tools',
  'content',
  'items',
  'text',
  'name',
  'arguments',
  'description',
  'command',
  'status',
)

/** Messages whose keys are those that generated paths look for. */
export const message: fc.Arbitrary<Value> = fc.letrec<{ value: Value; record: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    prose,
    fc.oneof(
      fc.integer({ min: -5, max: 50 }),
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 53n + 4n }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 4 }),
    tie('record'),
  ),
  record: fc.dictionary(key, tie('value'), { maxKeys: 5, noNullPrototype: true }),
})).record
