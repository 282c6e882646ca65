import { describe, expect, test } from 'vitest'
import type { Value } from '../../src/model/value.ts'
import { checkShape } from '../../src/shapes/check-shape.ts'
import { type Shape, shapes } from '../../src/shapes/shape.ts'

const QUOTED = 'expected a string (put it in quotes)'
const EXTENSION = 'An extension field starts with "x-".'

const {
  boolean,
  choice,
  count,
  date,
  enumeration,
  exactly,
  integer,
  list,
  map,
  number,
  object,
  optional,
  required,
  text,
  time,
  value,
} = shapes

const colour = enumeration(['red', 'green'])
const emptyList: Value = []
const emptyMap: Value = {}
const anything: Value[] = [null, true, 1, 0.5, 'x', emptyList, emptyMap]

describe('scalars', () => {
  test.each<[name: string, shape: Shape, fits: Value[]]>([
    ['value', value, anything],
    ['text', text, ['x']],
    ['integer', integer, [1]],
    ['number', number, [1, 0.5]],
    ['boolean', boolean, [true]],
    ['date', date, []],
    ['time', time, []],
    ['count', count(1), [1]],
    ['exactly', exactly(1), [1]],
    ['enumeration', colour, []],
    ['list', list(value), [emptyList]],
    ['map', map(value), [emptyMap]],
    ['object', object({}), [emptyMap]],
  ])('%s accepts its own and reports everything else once', (_, shape, fits) => {
    for (const seen of anything) {
      expect(checkShape(seen, shape)).toHaveLength(fits.includes(seen) ? 0 : 1)
    }
  })

  test.each<[Shape, Value, string, string?]>([
    [text, 0.1, `${QUOTED}, got a number (0.1)`],
    [text, true, `${QUOTED}, got a boolean (true)`],
    [text, null, 'expected a string, got null'],
    [text, [], 'expected a string, got a list'],
    [integer, '5', 'expected an integer, got "5"'],
    [integer, 1.5, 'expected an integer, got a number (1.5)'],
    [number, '5', 'expected a number, got "5"'],
    [boolean, 'yes', 'expected true or false, got "yes"'],
    [date, 'soon', 'expected an ISO 8601 date or date-time such as "2026-02-15", got "soon"'],
    [list(text), 'a', 'expected a list, got "a"'],
    [map(text), ['a'], 'expected a mapping, got a list'],
    [object({}), 3, 'expected a mapping, got an integer (3)'],
    [colour, 5, 'expected one of red, green, got an integer (5)'],
    [colour, 'gren', '"gren" is not one of red, green.', 'green'],
    [colour, 'mauve', '"mauve" is not one of red, green.'],
  ])('message %#', (shape, seen, message, meant) => {
    const [fault] = checkShape(seen, shape)
    expect([fault?.message, fault?.meant]).toEqual([message, meant])
  })

  test('an unknown string is an unknown variant, a wrong type a mismatch', () => {
    expect(checkShape('blue', colour)[0]?.kind).toBe('unknown_variant')
    expect(checkShape(['red'], colour)[0]?.kind).toBe('type_mismatch')
  })
})

describe('collections', () => {
  const shape = object({
    name: required(text, undefined, 'V-901'),
    colours: optional(list(colour), undefined, 'V-902'),
    sizes: optional(map(integer)),
  })

  test('every mismatch has its path and the rule of the nearest field', () => {
    const faults = checkShape({ colours: ['red', 'blue', 7], sizes: { s: 1, 'm.l': 'x' } }, shape)
    expect(faults.map(({ path, kind, rule, at }) => ({ path, kind, rule, at }))).toEqual([
      { path: ['colours', 1], kind: 'unknown_variant', rule: 'V-902', at: 'value' },
      { path: ['colours', 2], kind: 'type_mismatch', rule: 'V-902', at: 'value' },
      { path: ['sizes', 'm.l'], kind: 'type_mismatch', rule: undefined, at: 'value' },
      { path: ['name'], kind: 'type_mismatch', rule: 'V-901', at: 'key' },
    ])
  })

  test('reports a missing required field', () => {
    expect(checkShape({}, shape)[0]?.message).toBe('the field "name" is required')
  })

  test.each<
    [key: string, others: 'none' | 'extensions' | 'any' | 'later', message: string | undefined, meant?: string]
  >([
    ['nam', 'none', 'unknown field "nam".', 'name'],
    ['zzz', 'none', 'unknown field "zzz".'],
    ['x-note', 'none', 'unknown field "x-note".'],
    ['zzz', 'extensions', `unknown field "zzz". ${EXTENSION}`],
    ['nmae', 'extensions', 'unknown field "nmae".', 'name'],
    ['x-note', 'extensions', undefined],
    ['x-', 'extensions', undefined],
    ['X-note', 'extensions', `unknown field "X-note". ${EXTENSION}`],
    ['zzz', 'any', undefined],
    ['zzz', 'later', undefined],
    ['__proto__', 'none', 'unknown field "__proto__".'],
    ['constructor', 'none', 'unknown field "constructor".'],
    ['toString', 'extensions', `unknown field "toString". ${EXTENSION}`],
  ])('the field %j where others are %s', (key, others, message, meant) => {
    const seen: Value = JSON.parse(`{"name": "n", ${JSON.stringify(key)}: 1}`)
    const faults = checkShape(seen, object({ name: required(text) }, others))
    expect(faults.map((fault) => fault.message)).toEqual(message === undefined ? [] : [message])
    expect(faults[0]?.meant).toBe(meant)
    expect(faults.map((fault) => fault.path)).toEqual(message === undefined ? [] : [[key]])
  })

  test('a choice depends on the value', () => {
    const either = choice(object({ colour: required(colour) }), colour)
    expect(checkShape('red', either)).toEqual([])
    expect(checkShape({ colour: 'red' }, either)).toEqual([])
    expect(checkShape({ colour: 'blue' }, either)[0]?.path).toEqual(['colour'])
    expect(checkShape(5, either)[0]?.message).toContain('one of red, green')
  })

  test('a choice may depend on keys', () => {
    const condition = choice(object({ gt: required(integer) }), value, ['gt', 'lt'])
    expect(checkShape({ gt: 1 }, condition)).toEqual([])
    expect(checkShape({ other: 'x' }, condition)).toEqual([])
    expect(checkShape({ lt: 1 }, condition).map(({ path }) => path)).toEqual([['lt'], ['gt']])
  })

  test('explains a field that belongs elsewhere', () => {
    const inner = object({ a: optional(text) }, 'none', { elsewhere: { exists: 'It stands below.' } })
    expect(checkShape({ exists: true }, inner)[0]?.message).toBe('unknown field "exists". It stands below.')
  })

  test('limits the number of mismatches', () => {
    expect(checkShape([1, 2, 3], list(text), 2)).toHaveLength(2)
  })

  test('inherited fields do not count', () => {
    expect(checkShape(Object.create({ name: 'n' }), object({ name: required(text) }))).toHaveLength(1)
  })
})
