import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonMembers, memberText } from '../../src/json/members.ts'

describe('jsonMembers', () => {
  it.each([
    [
      '{"a":1.0,"b":"x"}',
      [
        ['a', '1.0'],
        ['b', '"x"'],
      ],
    ],
    ['{}', []],
    ['[{"a":1}]', []],
    ['7', []],
    ['', []],
    [
      '{ "a" : { "a": [1, {"b": "}"}] } , "b":null}',
      [
        ['a', '{ "a": [1, {"b": "}"}] }'],
        ['b', 'null'],
      ],
    ],
    [
      '{"a":1,"a":2}',
      [
        ['a', '1'],
        ['a', '2'],
      ],
    ],
    ['{"\\u0061\\"":"\\\\"}', [['a"', '"\\\\"']]],
    [
      '{"a":"\\\\\\"","b":[",",":"]}',
      [
        ['a', '"\\\\\\""'],
        ['b', '[",",":"]'],
      ],
    ],
  ])('of %s', (json, expected) => {
    expect(jsonMembers(json).map(({ key, text }) => [key, text])).toEqual(expected)
  })

  it('are the values that a parser reads', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.constantFrom(undefined, 2), (value, indent) => {
        const json = JSON.stringify(value, null, indent)
        const parsed: unknown = JSON.parse(json)
        const read = jsonMembers(json).map(({ key, text }) => [key, JSON.parse(text)])
        expect(read).toEqual(Object.entries(parsed as object))
      }),
    )
  })

  it('takes the last of repeated members', () => {
    expect(memberText('{"a":1,"a":2}', 'a')).toBe('2')
    expect(memberText('{"a":1}', 'b')).toBeUndefined()
  })
})
