import { cloneValue, type Value } from '@joust/source'
import fc from 'fast-check'

const formatWords = (
  'oatf attack execution mode state phases actors name indicators pattern expression semantic target condition contains regex ' +
  'any_of gt exists cel variables intent threshold trigger event count match after extractors selector source type on_enter send ' +
  'log severity level classification tags mappings correlation logic responses when id __proto__ constructor toString'
).split(' ')

/** 64-bit integers that doubles cannot tell apart. */
export const largeInteger: fc.Arbitrary<bigint> = fc.oneof(
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
)

/** Any JSON value, with prototype names and words of the format among its keys. */
export const anyJson: fc.Arbitrary<Value> = fc.letrec<{ value: Value }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    // fast-check types JSON values as unknown.
    fc.jsonValue({ maxDepth: 1 }) as fc.Arbitrary<Value>,
    largeInteger,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...formatWords), fc.string({ maxLength: 4 })), tie('value'), { maxKeys: 5 }),
  ),
})).value

/** A value with one part, anywhere in it, replaced by something else. */
export function damaged<T>(values: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc
    .tuple(values, fc.array(fc.nat(), { minLength: 1, maxLength: 8 }), anyJson)
    .map(([value, turns, replacement]) => {
      const copy = cloneValue(value)
      let at: unknown = copy
      for (const [index, turn] of turns.entries()) {
        if (typeof at !== 'object' || at === null) break
        const keys = Object.keys(at)
        const key = keys[turn % keys.length]
        if (key === undefined) break
        // Nothing else refers to the copy, so any part of it may become anything.
        const open = at as Record<string, unknown>
        if (index === turns.length - 1) open[key] = replacement
        else at = open[key]
      }
      return copy
    })
}

/** A text with some characters lost, doubled or replaced. */
export function scrambled(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const edit = fc.tuple(
    fc.nat(),
    fc.nat(12),
    fc.oneof(
      fc.constantFrom('\n', '\t', '  ', ': ', '- ', '&a ', '*a', '!t ', '{', '"', '\u0000'),
      fc.string({ maxLength: 5 }),
    ),
  )
  return fc.tuple(texts, fc.array(edit, { minLength: 1, maxLength: 5 })).map(([text, edits]) =>
    edits.reduce((current, [at, length, insert]) => {
      const offset = at % (current.length + 1)
      return current.slice(0, offset) + insert + current.slice(offset + length)
    }, text),
  )
}
