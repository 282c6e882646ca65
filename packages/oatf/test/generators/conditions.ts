import type { Value } from '@joust/source'
import fc from 'fast-check'
import type { Condition, MatchCondition, MatchPredicate } from '../../src/model/document.ts'
import { anyValue, prose, regex, simplePath } from './text.ts'

const scalar: fc.Arbitrary<Value> = fc.oneof(prose, fc.integer({ min: -5, max: 50 }), fc.boolean(), fc.constant(null))

/** The operators that also work as shorthand. */
const operands = {
  contains: prose,
  starts_with: prose,
  ends_with: prose,
  regex,
  any_of: fc.array(scalar, { maxLength: 4 }),
  gt: fc.integer({ min: -5, max: 50 }),
  lt: fc.double({ min: -5, max: 50, noNaN: true }),
  gte: fc.integer({ min: -5, max: 50 }),
  lte: fc.integer({ min: -5, max: 50 }),
}

/** One operator. */
export const shorthand: fc.Arbitrary<Omit<MatchCondition, 'exists'>> = fc
  .constantFrom(...(Object.keys(operands) as (keyof typeof operands)[]))
  .chain((name) => (operands[name] as fc.Arbitrary<Value>).map((operand) => ({ [name]: operand })))

/** One to three operators. */
const operators: fc.Arbitrary<MatchCondition> = fc
  .tuple(
    fc.array(shorthand, { minLength: 1, maxLength: 2 }),
    fc.constantFrom({}, {}, { exists: true }, { exists: false }),
  )
  .map(([chosen, exists]) => Object.assign({}, ...chosen, exists))

/** A bare value or operators; never an object that is neither. */
export const condition: fc.Arbitrary<Condition> = fc.oneof(
  scalar,
  fc.array(anyValue, { maxLength: 3 }),
  shorthand,
  operators,
)

/** Conditions by simple dot-path. */
export const predicate: fc.Arbitrary<MatchPredicate> = fc.dictionary(simplePath, condition, {
  maxKeys: 3,
  noNullPrototype: true,
})
