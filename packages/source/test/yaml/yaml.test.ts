import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isNonFinite, NON_FINITE, readEvents, readKeys, readValue, TOO_DEEP, writeYaml } from '../../src/yaml/yaml.ts'
import { read, record, value } from '../support.ts'

function eventsOf(text: string) {
  const parsed = readEvents(text, 100)
  if ('error' in parsed) expect.unreachable(parsed.error.reason)
  return parsed.events
}

describe('readEvents', () => {
  test('returns errors as values', () => {
    expect(readEvents('a: [', 100)).toMatchObject({ error: { offset: 4 } })
    expect(readEvents('a: \0', 100)).toMatchObject({ error: { offset: 3 } })
  })

  test('reports an exhausted stack as an error', () => {
    expect(readEvents('['.repeat(100_000), Number.POSITIVE_INFINITY)).toEqual({ error: { reason: TOO_DEEP } })
  })
})

describe('readValue', () => {
  test('returns errors as values', () => {
    expect(readValue(eventsOf('a: 1\na: 2'), 'a: 1\na: 2')).toMatchObject({ error: { offset: 5 } })
    expect(readValue(eventsOf('.inf'), '.inf')).toEqual({ error: { reason: NON_FINITE } })
  })

  test.each(['!x', '!<x>', '!<tag:y>', '!!binary', '!!set', '!e!x'])('ignores the tag %s on any node', (tag) => {
    const text = `%TAG !e! foo:\n---\na: ${tag} s\nb: ${tag} [1]\nc: ${tag} {d: 2}\ne: ${tag}\n`
    expect(readValue(eventsOf(text), text)).toEqual({ value: { a: 's', b: [1], c: { d: 2 }, e: '' } })
  })
})

test('readKeys spells keys as the value does, one list per mapping', () => {
  const text = '0x10: {~: 1, "a\\tb": [{c: 1}, {}]}\n? |\n  d\n: &x !t {e: 1}\n'
  expect(readKeys(eventsOf(text), text)).toEqual([['16', 'd\n'], ['null', 'a\tb'], ['c'], [], ['e']])
})

test('isNonFinite recognizes all spellings', () => {
  const yes = ['.inf', '.Inf', '.INF', '+.inf', '-.inf', '.nan', '.NaN', '.NAN']
  expect(yes.filter((source) => !isNonFinite(source))).toEqual([])
  const no = ['', 'inf', '.iNf', '-.nan', '1', '1e400', '.5', 'nan', '.infx']
  expect(no.filter(isNonFinite)).toEqual([])
})

describe('writeYaml', () => {
  test('is block style without anchors', () => {
    const shared = { a: [1] }
    expect(writeYaml({ b: shared, c: shared, d: [shared] })).toBe(
      'b:\n  a:\n    - 1\nc:\n  a:\n    - 1\nd:\n  - a:\n      - 1\n',
    )
  })

  test('does not fold long lines', () => {
    const long = 'word '.repeat(100).trim()
    expect(writeYaml({ a: long })).toBe(`a: ${long}\n`)
  })

  test('quotes strings that would be read as another type', () => {
    const odd = ['1', 'true', 'null', '~', '', '{{x}}', '# no', 'a: b', '- x', '.inf', '<<', '2020-01-01', ' x ']
    expect(read(writeYaml(odd)).value).toEqual(odd)
  })

  test('writes __proto__ like any other key', () => {
    expect(writeYaml(record([['__proto__', { a: 1 }]]))).toBe('__proto__:\n  a: 1\n')
  })

  test('writes plain data only', () => {
    fc.assert(
      fc.property(value, (original) => {
        const source = read(writeYaml(original))
        expect(source.constructs()).toEqual([])
        expect(source.comments()).toEqual([])
      }),
    )
  })
})
