import { describe, expect, test } from 'vitest'
import { conditionsFor, keywordsFor } from '../../src/harden/values.ts'

describe('conditions hold for the value of the attack and for no other', () => {
  test.each([
    ['a larger amount', 9000, [45, 12], [{ gt: 45 }]],
    ['a smaller one', 1, [45, 12], [{ lt: 12 }]],
    ['one in between', 20, [45, 12], []],
    ['a switch', true, [false, false], [true]],
    ['a switch that others use as well', true, [true], []],
    ['an address', 'a@x.example', ['b@y.example', 'b@y.example'], [{ not_in: ['b@y.example'] }]],
    [
      'a path outside the folder',
      '../../key',
      ['a/b.md'],
      [{ pattern: '(^|[/\\\\])\\.\\.([/\\\\]|$)' }, { not_in: ['a/b.md'] }],
    ],
    ['what others say, too', 'a', ['a', 'b'], []],
    ['nothing to compare with', 'a', [], []],
    ['values of several kinds', 'a', ['b', 1], []],
    ['a list', ['a'], [['b']], []],
  ])('%s', (_, abused, benign, expected) => {
    expect(conditionsFor({ abused, benign })).toEqual(expected)
  })
})

describe('keywords hold for all values but that of the attack', () => {
  test.each([
    ['an amount', 9000, [45], [{ maximum: 45 }]],
    ['names', 'a; b', ['a', 'b-1'], [{ pattern: '^[A-Za-z0-9_-]+$' }, { maxLength: 3 }, { enum: ['a', 'b-1'] }]],
    [
      'addresses of one place',
      'a@x.example',
      ['bob@y.example'],
      [{ pattern: '^[^@ ]+@y[.]example$' }, { enum: ['bob@y.example'] }],
    ],
    ['addresses of two places', 'a@x', ['b@yy', 'c@zz'], [{ enum: ['b@yy', 'c@zz'] }]],
    ['nothing to compare with', 'a', [], []],
  ])('%s', (_, abused, benign, expected) => {
    expect(keywordsFor({ abused, benign })).toEqual(expected)
  })
})
