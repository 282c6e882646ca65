import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readDoubles, toValue } from '../../src/model/json-value.ts'

it('readDoubles rounds integers that JSON.stringify rejects', () => {
  const read = readDoubles('{"n":[9007199254740993]}')
  expect(read).toEqual({ ok: true, value: { n: [2 ** 53] } })
  expect(readDoubles('{')).toMatchObject({ ok: false })
})

describe('toValue', () => {
  it('copies JSON unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const copy = toValue(value)
        expect(copy).toEqual({ ok: true, value })
        if (copy.ok && typeof value === 'object' && value !== null) expect(copy.value).not.toBe(value)
      }),
    )
  })

  it('never throws and returns serializable JSON', () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (thing) => {
          const value = toValue(thing)
          if (value.ok) expect(() => JSON.stringify(value.value)).not.toThrow()
        },
      ),
    )
  })

  it.each([
    ['nothing is null', undefined, null],
    ['a field without a value is left out', { a: undefined, b: 1 }, { b: 1 }],
    ['a hole in a list is null', [undefined, 1], [null, 1]],
    ['a date as JSON writes it', new Date(0), '1970-01-01T00:00:00.000Z'],
  ])('%s', (_, thing, value) => {
    expect(toValue(thing)).toEqual({ ok: true, value })
  })

  it.each([
    ['not a number', Number.NaN],
    ['a function', { f() {} }],
    ['a symbol', [Symbol('s')]],
    ['a big integer', 1n],
    [
      'a getter that throws',
      Object.defineProperty({}, 'x', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    [
      'a toJSON that returns itself',
      {
        toJSON() {
          return this
        },
      },
    ],
  ])('rejects %s', (_, thing) => {
    expect(toValue(thing).ok).toBe(false)
  })

  it('rejects a circular value', () => {
    const self: Record<string, unknown> = {}
    self.self = self
    expect(toValue(self)).toEqual({ ok: false, error: 'the value is too large or circular' })
    let wide: unknown = 1
    for (let depth = 0; depth < 40; depth++) wide = [wide, wide]
    expect(toValue(wide).ok).toBe(false)
  })

  it('__proto__ stays a key', () => {
    const copy = toValue(JSON.parse('{"__proto__": {"x": 1}}'))
    expect(copy.ok && Object.keys(copy.value as object)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(copy.ok ? copy.value : null)).toBe(Object.prototype)
  })
})
