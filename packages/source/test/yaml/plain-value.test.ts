import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainValue } from '../../src/yaml/plain-value.ts'
import { readEvents, readValue, writeYaml } from '../../src/yaml/yaml.ts'

function read(text: string) {
  const parsed = readEvents(text, 100)
  if ('error' in parsed) expect.unreachable(parsed.error.reason)
  return { plain: plainValue(parsed.events, text), whole: readValue(parsed.events, text) }
}

describe('agrees with js-yaml', () => {
  test.each([
    'a: 1\nb: [x, { y: ~ }]\n',
    '{}',
    '[]',
    'text',
    '"quoted \\u0041"',
    '- |\n  block\n- >-\n  folded\n  text\n',
    'a:\nb: null\nc: Null\nd: NULL\ne: ~\n',
    '- true\n- True\n- FALSE\n- yes\n- no\n- on\n- t\n- n\n',
    '- 0\n- -7\n- +3\n- 0x1F\n- 0o17\n- 0b1\n- 1_000\n- 1e3\n- .5\n- 5.\n- -.5e-3\n- 0.1.2\n- 08\n',
    '- .\n- +\n- -a\n- ...a\n- 1:2\n- 2026-01-01\n- <<\n- =\n',
    '0x10: a\n1.50: b\ntrue: c\n~: d\n"": e\n',
    '__proto__: { toString: 1 }\nconstructor: 2\n',
    '<<: { a: 1 }\n',
    '%YAML 1.2\n---\na: 1\n',
    '? a\n: b\n? c\n',
    '[a: b, { c }]',
  ])('%j', (text) => {
    const { plain, whole } = read(text)
    expect(plain).toBeDefined()
    expect(plain).toStrictEqual(whole)
  })

  test('for any written value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const { plain, whole } = read(writeYaml(value))
        // Numbers that a double cannot represent are left to the library.
        if (plain === undefined) expect(JSON.stringify(value)).toMatch(/\d{16}|e\+\d\d/)
        else expect(plain).toStrictEqual(whole)
      }),
    )
  })

  test('own properties only', () => {
    const value = read('__proto__: { a: 1 }').plain?.value
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value ?? {})).toEqual(['__proto__'])
  })
})

test.each([
  ['tags', 'a: !!str 1'],
  ['custom tags', '!x { a: 1 }'],
  ['anchors', 'a: &b 1'],
  ['aliases', 'a: &b [1]\nc: *b'],
  ['a key that stands twice', 'a: 1\na: 2'],
  ['a key that stands twice in two spellings', '16: 1\n0x10: 2'],
  ['a key that is a mapping', '? { a: 1 }\n: b'],
  ['a key that is a list', '[a]: b'],
  ['infinity', 'a: .inf'],
  ['no number', '- .NaN'],
])('leaves %s to the library', (_, text) => expect(read(text).plain).toBeUndefined())
